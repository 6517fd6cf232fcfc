/** Questions to a person at a terminal. `undefined` is a person who walked away from the question. */
export interface Ask {
  choose(
    question: string,
    options: readonly { value: string; label: string; hint?: string }[],
  ): Promise<string[] | undefined>;
  confirm(question: string, isYesLikely: boolean): Promise<boolean | undefined>;
}

/** One of the things to choose from. */
export interface Option {
  value: string;
  label: string;
  hint?: string;
}

/** The questions that making a channel takes, beyond yes and no. */
export interface AskMore extends Ask {
  /** Any number of the options, none as well; those in `likely` are chosen at first. */
  chooseAny(question: string, options: readonly Option[], likely: readonly string[]): Promise<string[] | undefined>;
  pick(question: string, options: readonly Option[]): Promise<string | undefined>;
  /**
   * A line of text; Enter alone stands for `usual`, if there is one. `problemOf` says what is wrong with it; a secret is
   * not shown while it is typed.
   */
  text(
    question: string,
    details: { usual?: string; isSecret?: boolean; problemOf(text: string): string | undefined },
  ): Promise<string | undefined>;
  /** Something to know between two questions. */
  note(text: string): Promise<void>;
}

/** So many options are shown at once; the others come into view by going on. */
const maxShown = 12;

/** Keys of vi that move through the options of a choice, as letters of what somebody pastes there would. */
const viKeys = ["h", "j", "k", "l"];

/** The library is loaded only when there is something to ask. */
async function loadPrompts() {
  const prompts = await import("@clack/prompts");
  for (const key of viKeys) prompts.settings.aliases.delete(key);
  return prompts;
}

/** The real questions. */
export const askAtTerminal: AskMore = {
  async choose(question, options) {
    const { isCancel, multiselect } = await loadPrompts();
    const answer = await multiselect({
      message: question,
      options: options.map((option) => ({ ...option })),
      initialValues: options.map(({ value }) => value),
      required: true,
    });
    return isCancel(answer) ? undefined : answer;
  },
  async chooseAny(question, options, likely) {
    const { isCancel, multiselect } = await loadPrompts();
    const answer = await multiselect({
      message: question,
      options: options.map((option) => ({ ...option })),
      initialValues: [...likely],
      required: false,
      maxItems: maxShown,
    });
    return isCancel(answer) ? undefined : answer;
  },
  async confirm(question, isYesLikely) {
    const { confirm, isCancel } = await loadPrompts();
    const answer = await confirm({ message: question, initialValue: isYesLikely });
    return isCancel(answer) ? undefined : answer;
  },
  async pick(question, options) {
    const { isCancel, select } = await loadPrompts();
    const answer = await select({
      message: question,
      options: options.map((option) => ({ ...option })),
      maxItems: maxShown,
    });
    return isCancel(answer) ? undefined : answer;
  },
  async text(question, { usual, isSecret, problemOf }) {
    const { isCancel, password, text } = await loadPrompts();
    const said = (typed: string | undefined): string => (typed ?? "").trim() || (usual ?? "");
    const asked = { message: question, validate: (typed: string | undefined) => problemOf(said(typed)) };
    const answer = isSecret ? await password(asked) : await text({ ...asked, placeholder: usual ?? "" });
    return isCancel(answer) ? undefined : said(answer);
  },
  async note(text) {
    const { log } = await loadPrompts();
    log.info(text);
  },
};
