#!/bin/sh
# What a person writes who has no hookbell, for the comparison in `npm run bench`: Slack's webhook is in SLACK_WEBHOOK_URL.
jq '{text: "\(.cwd | split("/") | last): \(.hook_event_name)\n\(.last_assistant_message // .message // "")"}' |
  curl --silent --fail --output /dev/null --header 'Content-Type: application/json' --data @- "$SLACK_WEBHOOK_URL"
