import type { GateInput } from '../port.ts';

/** As likely as not. Words and meanings were weighed where the likeness comes from; there is nothing more to read here. */
const EVEN = 0.5;

/** Whether a topic is wanted for a message, without a model. */
export function isWanted({ message, likeness }: GateInput): boolean {
  return message.trim() !== '' && likeness >= EVEN;
}
