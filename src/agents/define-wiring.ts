/** A settings file of an agent, and what that agent puts up with in it (measured, see hooks/README.md). */
export interface WiringFile {
  /** Relative to the folder, with forward slashes. */
  name: string;
  /** `wrapped` keeps events under a top-level `hooks` key, `bare` directly at the top. */
  shape: "wrapped" | "bare";
  /** Whether the agent reads comments in it. A trailing comma spoils the file for every agent there is. */
  allowsComments: boolean;
  /** Whether the agent reads a file that starts with a byte order mark. */
  allowsByteOrderMark: boolean;
  /** The file counts only while this other file is absent: an older place. */
  onlyWithout?: string;
  /** Where a `true` switches every hook off. */
  offSwitch: readonly string[];
}

/** Where and how an agent's user-wide hook settings are written; `install/` does the editing. */
export interface Wiring {
  /** The agent's program, looked for on PATH. */
  program: string;
  /**
   * The folder whose presence says that the agent is used here, relative to the home folder. `env` replaces the folder,
   * `homeEnv` the home folder.
   */
  folder: { path: string; env?: string; homeEnv?: string };
  /** Files that hold hooks, the one that wins first: an event in it hides the same event in later ones. */
  files: readonly [WiringFile, ...WiringFile[]];
  /** The file that is made when no file holds hooks yet. */
  defaultFile: string;
  /** Events whose value must be sound, else the agent drops all hooks of the file; `all` is every key there. */
  soundEvents: readonly string[] | "all";
  /** Whether an entry without a `hooks` array spoils the file, too; else the agent skips just that entry. */
  hasSoundGroups: boolean;
  /** Event names, as the agent writes them, that hookbell listens to, with the timeout in seconds. */
  events: Readonly<Record<string, { timeoutSeconds: number }>>;
  /** On Windows: program and `args` apart, without a shell, or one double-quoted command line. */
  windowsForm: "arguments" | "commandLine";
  /** An administrator's settings, where `allowManagedHooksOnly` makes the agent ignore the person's hooks. */
  managedFiles: Readonly<Partial<Record<NodeJS.Platform, string>>>;
  /** What the person must do before the agent sees the change. */
  afterwards: string;
  /** How to silence the agent's own notifications, for those who hear of things twice. */
  ownNotifications?: string;
}
