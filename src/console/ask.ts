// Asks the user questions in the terminal. `undefined` means that they cancelled.
import type { MultiSelectOptions } from "@clack/prompts";

export interface Option {
  value: string;
  label: string;
  hint?: string;
}

export interface Ask {
  choose(question: string, options: readonly Option[]): Promise<string[] | undefined>;
  confirm(question: string, isYesLikely: boolean): Promise<boolean | undefined>;
  /** With `hasNo`, the key n cancels at once, as in a question for yes or no. */
  pick(question: string, options: readonly Option[], hasNo?: boolean): Promise<string | undefined>;
}

export interface AskMore extends Ask {
  /** Any number of the options. Those in `likely` are preselected. */
  chooseAny(question: string, options: readonly Option[], likely: readonly string[]): Promise<string[] | undefined>;
  /** One line of text; Enter alone gives `usual`. A secret is hidden while typed. */
  text(
    question: string,
    details: { usual?: string; isSecret?: boolean; problemOf(text: string): string | undefined },
  ): Promise<string | undefined>;
  note(text: string): Promise<void>;
}

/** More options scroll. */
const maxShown = 12;

/** This is a chunk of its own: a chunk with import() of a library is compiled at each start. */
async function loadPrompts() {
  const { importPrompts } = await import("./prompts.ts");
  return importPrompts();
}

async function chooseSome(asked: MultiSelectOptions<string>): Promise<string[] | undefined> {
  const { isCancel, multiselect } = await loadPrompts();
  const answer = await multiselect(asked);
  return isCancel(answer) ? undefined : answer;
}

export const askAtTerminal: AskMore = {
  async choose(question, options) {
    const likely = options.map(({ value }) => value);
    return await chooseSome({ message: question, options: [...options], initialValues: likely, required: true });
  },
  async chooseAny(question, options, likely) {
    const usual = { initialValues: [...likely], required: false, maxItems: maxShown };
    return await chooseSome({ message: question, options: [...options], ...usual });
  },
  async confirm(question, isYesLikely) {
    const { confirm, isCancel } = await loadPrompts();
    const answer = await confirm({ message: question, initialValue: isYesLikely });
    return isCancel(answer) ? undefined : answer;
  },
  async pick(question, options, hasNo = false) {
    const { isCancel, select, settings } = await loadPrompts();
    // The library ignores letters here: Enter after n would choose the first option, which is yes.
    if (hasNo) settings.aliases.set("n", "cancel");
    try {
      const answer = await select({ message: question, options: [...options], maxItems: maxShown });
      return isCancel(answer) ? undefined : answer;
    } finally {
      settings.aliases.delete("n");
    }
  },
  async text(question, { usual, isSecret, problemOf }) {
    const { isCancel, password, text } = await loadPrompts();
    const said = (typed: string | undefined): string => (typed ?? "").trim() || (usual ?? "");
    const asked = { message: question, validate: (typed: string | undefined) => problemOf(said(typed)) };
    const answer = isSecret
      ? await password(asked)
      : await text({ ...asked, placeholder: usual ?? "", defaultValue: usual ?? "" });
    return isCancel(answer) ? undefined : said(answer);
  },
  async note(text) {
    const { log } = await loadPrompts();
    log.info(text);
  },
};

/** Enter alone means no. */
export const askWithNoUsual: Pick<Ask, "confirm"> = {
  confirm: async (question) => await askAtTerminal.confirm(question, false),
};
