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
  /** Whether at least a web page is known for somebody else's. */
  isPageRefused?: boolean;
  /** Questions it asks before the message; without an answer it sends none. */
  questions?: number;
  /** How long the vendor wants to be left alone after a 5xx without Retry-After. */
  pauseAfterTroubleMs?: number;
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
  mattermost: {
    settings: (origin) => ({ url: `${origin}/hooks/s3cretHookOfMattermost1` }),
    secrets: ["s3cretHookOfMattermost1"],
    okBody: "ok",
    isBodyDecisive: true,
  },
  matrix: {
    questions: 1,
    settings: (origin) => ({ homeserver: origin, room: "!room:example.org", token: "syt_s3cretTokenOfMatrix" }),
    secrets: ["s3cretTokenOfMatrix"],
    okBody: '{"event_id":"$1:example.org"}',
    isBodyDecisive: true,
  },
  feishu: {
    settings: (origin) => ({
      url: `${origin}/open-apis/bot/v2/hook/s3cret00-hook-of-feishu`,
      secret: "s3cretSigningOfFeishu",
    }),
    secrets: ["s3cret00-hook-of-feishu", "s3cretSigningOfFeishu"],
    okBody: '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}',
    isBodyDecisive: true,
  },
  dingtalk: {
    settings: (origin) => ({
      url: `${origin}/robot/send?access_token=s3cretAccessOfDingtalk1`,
      secret: "SECs3cretSigningOfDingtalk",
    }),
    secrets: ["s3cretAccessOfDingtalk1", "s3cretSigningOfDingtalk"],
    okBody: '{"errcode":0,"errmsg":"ok"}',
    isBodyDecisive: true,
  },
  wecom: {
    settings: (origin) => ({ url: `${origin}/cgi-bin/webhook/send?key=s3cret00-key-of-wecom` }),
    secrets: ["s3cret00-key-of-wecom"],
    okBody: '{"errcode":0,"errmsg":"ok"}',
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
  discord: {
    settings: (origin) => ({ url: `${origin}/api/webhooks/112233445566778899/s3cretTokenOfDiscord` }),
    secrets: ["112233445566778899", "s3cretTokenOfDiscord"],
    okBody: '{"id":"1330000000000000001","channel_id":"1330000000000000000"}',
    isBodyDecisive: true,
  },
  "google-chat": {
    settings: (origin) => ({
      url: `${origin}/v1/spaces/AAAAs3cretSpace/messages?key=s3cretKeyOfGoogle&token=s3cretTokenOfGoogle%3D`,
    }),
    secrets: ["AAAAs3cretSpace", "s3cretKeyOfGoogle", "s3cretTokenOfGoogle"],
    okBody: '{"name":"spaces/AAAA/messages/BBBB.BBBB","thread":{"name":"spaces/AAAA/threads/BBBB"}}',
    isBodyDecisive: true,
  },
  teams: {
    settings: (origin) => ({
      url: `${origin}/workflows/s3cretWorkflow01/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=s3cretSig_-01`,
    }),
    secrets: ["s3cretWorkflow01", "s3cretSig_-01"],
    okBody: "",
    isBodyDecisive: false,
    isPageRefused: true,
  },
  telegram: {
    settings: (origin) => ({ token: "123456789:s3cretTokenOfTelegram_01234-x", chat: -1001234567890, apiUrl: origin }),
    secrets: ["s3cretTokenOfTelegram_01234-x"],
    okBody: '{"ok":true,"result":{"message_id":7,"chat":{"id":-1001234567890,"type":"supergroup"},"date":1}}',
    isBodyDecisive: true,
  },
  ntfy: {
    settings: (origin) => ({ server: `${origin}/push`, topic: "s3cretTopic_of-ntfy", token: "tk_s3cretTokenOfNtfy" }),
    secrets: ["s3cretTopic", "s3cretTokenOfNtfy"],
    okBody: '{"id":"hwQ2YpKdmg","event":"message"}',
    isBodyDecisive: true,
  },
  pushover: {
    settings: (origin) => ({
      server: origin,
      token: "aS3cretAppTokenOfPushover00001",
      user: "uS3cretUserKeyOfPushover000002",
    }),
    secrets: ["aS3cretAppToken", "uS3cretUserKey"],
    pauseAfterTroubleMs: 5000,
    okBody: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}',
    isBodyDecisive: true,
  },
  gotify: {
    settings: (origin) => ({ server: `${origin}/gotify/`, token: "A.s3cretGotify1" }),
    secrets: ["s3cretGotify1"],
    okBody: '{"id":25,"appid":5,"message":"..."}',
    isBodyDecisive: true,
  },
  pagerduty: {
    settings: (origin) => ({ server: origin, routingKey: "s3cretRoutingKeyOfPagerDuty00001" }),
    secrets: ["s3cretRoutingKey"],
    okBody: '{"status":"success","message":"Event processed","dedup_key":"hookbell-1"}',
    isBodyDecisive: true,
  },
  "home-assistant": {
    settings: (origin) => ({ url: `${origin}/api/webhook/-s3cretWebhookId99` }),
    secrets: ["s3cretWebhookId99"],
    okBody: "",
    isBodyDecisive: false,
  },
  bark: {
    settings: (origin) => ({ server: origin, key: "s3cretDeviceKey999" }),
    secrets: ["s3cretDeviceKey999"],
    okBody: '{"code":200,"message":"success","timestamp":1700000000}',
    isBodyDecisive: true,
  },
};

/** Every way in which a type speaks HTTP: a Slack bot has another place, another secret and other answers than a webhook. */
export const httpCases: readonly { name: string; type: string; sample: HttpSample }[] = [
  ...Object.entries(httpSamples).map(([type, sample]) => ({ name: type, type, sample })),
  {
    name: "slack as a bot",
    type: "slack",
    sample: {
      settings: (origin) => ({
        token: "xoxb-1111-2222-s3cretTokenOfSlackBot",
        channel: "C0123456789",
        apiUrl: `${origin}/api`,
      }),
      secrets: ["s3cretTokenOfSlackBot"],
      okBody: '{"ok":true,"channel":"C0123456789","ts":"1763730000.000100"}',
      isBodyDecisive: true,
    },
  },
];

/** Channel types that reach their receiver by other ways than HTTP; their own tests send through real parts. */
export const otherSamples: Readonly<Record<string, OtherSample>> = {
  command: { settings: { argv: ["true"] } },
  desktop: { settings: {} },
  email: {
    settings: { smtp: "smtps://me:s3cret@mail.example.org", from: "me@example.org", to: ["me@example.org"] },
  },
  sound: { settings: {} },
  speech: { settings: {} },
  terminal: { settings: {} },
};
