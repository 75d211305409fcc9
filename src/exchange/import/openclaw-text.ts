/** OpenClaw wraps what arrives from a messenger: who, when and where stand around the words in the user's message. */

export interface OpenClawWords {
  readonly text: string;
  /** The speaker's name, where a group has several people. */
  readonly name: string | undefined;
}

/** A heading such as `Conversation info (untrusted metadata):` with a JSON block under it. */
const METADATA = /^[A-Z][\w ,-]*\((?:untrusted|internal)[^)]*\):\s*```(?:json)?\n([\s\S]*?)\n```\s*/u;

/** `[Telegram Lea id:42 2026-02-16 18:45 UTC] …`, or only a day and an hour. */
const ENVELOPE = /^\[(?=[^\]\n]*\d{4}-\d{2}-\d{2})[^\]\n]{1,200}\]\s*/u;

const MESSAGE_ID = /\s*\[message_id: [^\]\n]*\]\s*$/u;
const SENDER = /"(?:sender|sender_name|name|username)"\s*:\s*"([^"\n]{1,80})"/u;

/** Prompts of the program itself: heartbeats, the memory flush, the greeting after a reset, system events. */
const PROGRAM_PROMPTS: readonly RegExp[] = [
  /^Read HEARTBEAT\.md if it exists/u,
  /^Pre-compaction memory flush\b/u,
  /^A new session was started via \/new or \/reset/u,
  /^System(?: \(untrusted\))?: \[/u,
  /^\[cron:[^\]\n]*\]/u,
];

export function openclawWords(raw: string): OpenClawWords {
  let text = raw;
  let name: string | undefined;
  for (let match = METADATA.exec(text); match !== null; match = METADATA.exec(text)) {
    name ??= SENDER.exec(match[1] ?? '')?.[1];
    text = text.slice(match[0].length);
  }
  text = text.replace(ENVELOPE, '').replace(MESSAGE_ID, '').trim();
  return { text: PROGRAM_PROMPTS.some((prompt) => prompt.test(text)) ? '' : text, name };
}
