import { listOf, sendEvents, sendJson, type Json, type Protocol, type Schema, type Turn } from "./protocol.ts";

/** https://ai.google.dev/api/generate-content */
export const gemini: Protocol = {
  matches: (path) => /:(?:streamG|g)enerateContent$/.test(path),
  read: (body, path) => {
    const config = (body.generationConfig ?? {}) as Json;
    const isJsonWanted = config.responseMimeType === "application/json";
    const schema = (config.responseJsonSchema ?? config.responseSchema ?? { type: "object" }) as Schema;
    return {
      turns: listOf(body.contents).flatMap(({ role, parts }) =>
        listOf(parts).map((part): Turn => {
          if (part.functionResponse !== undefined) return { role: "tool", text: "" };
          return {
            role: role === "model" ? "assistant" : "user",
            text: typeof part.text === "string" ? part.text : "",
          };
        }),
      ),
      tools: listOf(body.tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name, parametersJsonSchema, parameters }) => ({
          name: String(name),
          schema: (parametersJsonSchema ?? parameters ?? {}) as Schema,
        })),
      answerSchema: isJsonWanted ? schema : undefined,
      isStream: path.includes(":stream"),
      model: "pretended",
    };
  },
  answer({ isStream }, { say, calls }, response) {
    const parts = calls?.map(({ tool, input }) => ({ functionCall: { name: tool.name, args: input } })) ?? [
      { text: say },
    ];
    const answer = {
      candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
      modelVersion: "pretended",
    };
    if (isStream) sendEvents(response, [{ data: answer }]);
    else sendJson(response, 200, answer);
  },
};
