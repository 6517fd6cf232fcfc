// One entry for every channel type; the contract tests fail for a type that has none.

export interface HttpSample {
  /** Settings, as they stand in the rules file, that send to this origin (`http://127.0.0.1:PORT`). */
  settings(origin: string): Record<string, unknown>;
  /** Pieces of those settings that may appear nowhere. */
  secrets: readonly string[];
  /** A body with which the vendor says that all is well. */
  okBody: string;
  /** Whether a 200 without that body is a failure, because the vendor says so in the body. */
  isBodyDecisive: boolean;
}

export interface OtherSample {
  settings: Record<string, unknown>;
}

export const httpSamples: Readonly<Record<string, HttpSample>> = {
  slack: {
    settings: (origin) => ({ url: `${origin}/services/T0SECRET01/B0SECRET02/s3cretTokenOfSlack` }),
    secrets: ["T0SECRET01", "B0SECRET02", "s3cretTokenOfSlack"],
    okBody: "ok",
    isBodyDecisive: true,
  },
  webhook: {
    settings: (origin) => ({
      url: `${origin}/in/s3cretPath99?key=s3cretQuery99`,
      secret: [
        "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDEsIGxvbmcgZW5vdWdo",
        "whsec_c2lnbmluZyBzZWNyZXQgbnVtYmVyIDIsIGxvbmcgZW5vdWdo",
      ],
      headers: { Authorization: "Bearer s3cretHeader99" },
    }),
    secrets: ["s3cretPath99", "s3cretQuery99", "s3cretHeader99", "c2lnbmluZyBzZWNyZXQ"],
    okBody: "",
    isBodyDecisive: false,
  },
};

/** Channel types that reach their receiver by other ways than HTTP; their own tests send through real parts. */
export const otherSamples: Readonly<Record<string, OtherSample>> = {
  command: { settings: { argv: ["true"] } },
  desktop: { settings: {} },
  email: {
    settings: { smtp: "smtps://me:s3cret@mail.example.org", from: "me@example.org", to: ["me@example.org"] },
  },
  sound: { settings: {} },
};
