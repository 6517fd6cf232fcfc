/** How an agent is wired that hookbell does not know. */
export const genericHelp = `Nothing needs to be wired for an agent that hookbell does not know: let it run

  hookbell hook --agent NAME

when something happens, and write one JSON object to its standard input:

  {"hook_event_name": "Stop", "session_id": "1", "cwd": "/path/of/the/project", "message": "what to say"}

hook_event_name is Notification, Stop, StopFailure, SubagentStop or SessionEnd (which needs a "reason").
To see what the rules make of it: hookbell explain
`;
