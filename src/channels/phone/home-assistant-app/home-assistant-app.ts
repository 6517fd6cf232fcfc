// The Home Assistant app on a phone: notifications through your own server, with buttons for answers.
import { delivered, failed, type Failed } from "../../../model/outcome.ts";
import type { HttpResponse } from "../../../system/network/http.ts";
import { maxContext } from "../../rendering/compose.ts";
import { defineHttpChannel } from "../../http-channel.ts";
import { mayBeReplaced, messageId } from "../../session-message.ts";
import { unexpectedAnswer } from "../../vendor-answer.ts";
import { probeRequest, serverUrl } from "../../vendor-request.ts";
import { appAnswers, askingData, tagOf } from "./answers.ts";
import { maxBody, maxTitle, notify, notifyOfQuestion, pageToOpen, appSettings, type AppSettings } from "./app-api.ts";
import { objectOf, parseJson } from "../../../model/json.ts";

const newToken = 'create a long-lived access token in your profile, under Security, and set it as "token"';
/** /api/services lists all actions of the server. */
const maxServicesBytes = 8 * 1024 * 1024;

export const homeAssistantApp = defineHttpChannel<AppSettings>({
  docs: "https://companion.home-assistant.io/docs/notifications/notifications-basic",
  ringsPhone: true,
  settings: appSettings,
  limits: [
    { what: "title", most: maxTitle, unit: "bytes", source: "ours" },
    { what: "body", most: maxBody, unit: "bytes", source: "ours" },
    { what: "fields", most: maxContext, unit: "bytes", source: "ours" },
  ],
  // A notification with the same tag replaces the earlier one.
  isRepeatHarmless: true,
  showsList: () => "joined",
  request(request) {
    const { settings, message, event, deliveryId, question, isSilent } = request;
    const written = isSilent === true ? { ...message, level: "info" as const } : message;
    const opens = message.link === undefined ? {} : pageToOpen(message.link);
    if (question !== undefined) {
      const data = { ...askingData(question.buttons, tagOf(deliveryId)), ...opens };
      return notifyOfQuestion(settings, written, event.name, data);
    }
    const tag = tagOf(messageId(request));
    return notify(settings, written, event.name, { tag, ...opens });
  },
  // https://developers.home-assistant.io/docs/api/rest: the states that changed, as a list.
  readSuccess(response, request) {
    if (listIn(response) === undefined) return unexpectedAnswer(response, "Home Assistant");
    if (request.question !== undefined) return delivered({ remember: { tag: tagOf(request.deliveryId) } });
    return delivered(mayBeReplaced(request) ? { remember: { id: messageId(request) } } : {});
  },
  readFailure: readAppFailure,
  answers: appAnswers,
  noticing: {
    how: "see",
    otherwise: [
      "look into Home Assistant's log: it takes messages even where the push service refuses them",
      "let the app notify: the phone's settings, and do not disturb",
    ],
  },
  probe: ({ server, token, device, allowHttp }, tools) =>
    probeRequest(
      {
        method: "GET",
        url: serverUrl(server.reveal(), "/api/services"),
        headers: { authorization: `Bearer ${token.reveal()}` },
        isPlainHttpAllowed: allowHttp,
        maxResponseBytes: maxServicesBytes,
      },
      tools,
      {
        well: (answer) => (actionsIn(answer)?.includes(device) === true ? "Home Assistant knows the phone" : undefined),
        failure(answer) {
          const phones = actionsIn(answer)?.filter((name) => name.startsWith("mobile_app_"));
          if (phones === undefined) return readAppFailure(answer) ?? unexpectedAnswer(answer, "Home Assistant");
          const known = phones.length === 0 ? "no phone with the app" : phones.join(", ");
          return failed("gone", `Home Assistant has no action notify.${device}; it has ${known}`);
        },
        fix: 'check "server", "token" and "device"',
      },
    ),
});

function listIn({ body }: HttpResponse): readonly unknown[] | undefined {
  const list = parseJson(body);
  return Array.isArray(list) ? list : undefined;
}

function actionsIn(answer: HttpResponse): string[] | undefined {
  const domain = listIn(answer)
    ?.map(objectOf)
    .find(({ domain: name }) => name === "notify");
  return domain === undefined ? undefined : Object.keys(objectOf(domain.services));
}

function readAppFailure({ status }: HttpResponse): Failed | undefined {
  const said = `Home Assistant answered ${status}`;
  if (status === 401) return failed("unauthorized", `${said}: ${newToken}`);
  if (status === 400) return failed("rejected", `${said}: it has no such phone; correct "device"`);
  if (status === 404) return failed("gone", `${said}: no Home Assistant answers at this URL; correct "server"`);
  return undefined;
}
