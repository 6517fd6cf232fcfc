// Where an agent keeps its files.

/** A folder below the home folder. `env` may name another place for what is before `into`. */
export interface FolderPlace {
  path: string;
  moved?: { env: string; into?: string };
}
