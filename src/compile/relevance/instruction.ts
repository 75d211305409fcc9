/** Stands where something was carried along. */
const GAP = ' § ';
/** Shorter quotations are names and titles: part of what is said. */
const CARRIED = [/```.*?```/gsu, /`[^`]{15,}`/gu, /["“„«][^"”“»]{12,}["”“»]/gu];
/** "Translate to Swedish: …". A colon behind a digit or an error is none that introduces. */
const INTRODUCED = /^\s*([^:\n]{3,110}[^:\n\d]):\s+(\S.*)$/su;
/** What is asked may stand behind the colon as well: "hazelnuts: how common is that?" */
const ASKED_BEHIND = /^(?:how|what|why|when|where|which|who|is|are|do|does|did|can)\b/iu;
const COMPLAINT = /https?$|\b(?:error|warning|fatal|warn|info|debug)\W*$/iu;
const MAX_INSTRUCTION = 130;

/** A message split into what it says and whether it brings the text along that it speaks of. */
export interface Instruction {
  readonly text: string;
  readonly carries: boolean;
}

/** What somebody wants, without the quotation, code or list they want it done to: "We left" in it is nobody's "we". */
export function readInstruction(message: string): Instruction {
  let text = message;
  for (const pattern of CARRIED) text = text.replaceAll(pattern, GAP);
  const [, introduction, rest] = INTRODUCED.exec(text) ?? [];
  if (introduction !== undefined && !COMPLAINT.test(introduction) && !ASKED_BEHIND.test(rest ?? '')) {
    text = introduction + GAP;
  }
  return { text, carries: text.includes(GAP.trim()) && text.length <= MAX_INSTRUCTION };
}
