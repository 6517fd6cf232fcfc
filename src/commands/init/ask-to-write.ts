// Asks before settings are changed, and shows the exact changes to a person who wants to see them first.
import type { Ask } from "../../console/ask.ts";

export async function askToWrite(ask: Ask, question: string, showChanges: () => void): Promise<boolean> {
  for (;;) {
    const options = [
      { value: "yes", label: "Yes" },
      { value: "diff", label: "Show the exact changes first" },
      { value: "no", label: "No" },
    ];
    const answer = await ask.pick(question, options, true);
    if (answer !== "diff") return answer === "yes";
    showChanges();
  }
}
