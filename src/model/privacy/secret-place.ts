/** A place in a text. With a kind, a secret stands there; without, none, and the search goes on at its end. */
export interface SecretPlace {
  start: number;
  end: number;
  kind?: string;
}
