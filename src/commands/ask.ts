/** Questions to a person at a terminal. `undefined` is a person who walked away from the question. */
export interface Ask {
  choose(
    question: string,
    options: readonly { value: string; label: string; hint?: string }[],
  ): Promise<string[] | undefined>;
  confirm(question: string, isYesLikely: boolean): Promise<boolean | undefined>;
}

/** The real questions; the library is loaded only when there is something to ask. */
export const askAtTerminal: Ask = {
  async choose(question, options) {
    const { isCancel, multiselect } = await import("@clack/prompts");
    const answer = await multiselect({
      message: question,
      options: options.map((option) => ({ ...option })),
      initialValues: options.map(({ value }) => value),
      required: true,
    });
    return isCancel(answer) ? undefined : answer;
  },
  async confirm(question, isYesLikely) {
    const { confirm, isCancel } = await import("@clack/prompts");
    const answer = await confirm({ message: question, initialValue: isYesLikely });
    return isCancel(answer) ? undefined : answer;
  },
};
