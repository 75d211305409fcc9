/** The kinds of request that the model and the wording tell apart. */
export type AskedKind = 'remember' | 'forget' | 'reflect' | 'recall';

/** `ignore`: nothing is to be learned about something, from now on. */
export type TriggerKind = AskedKind | 'ignore';

/** A request to the memory that the message itself makes; start and end are the place of its words in the message. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly phrase: string;
  readonly start: number;
  readonly end: number;
  /** The content; undefined when there is none, or when the previous turn is meant. */
  readonly content: string | undefined;
  /** "Remember this" with nothing before it in the message: the previous turn is meant. */
  readonly refersBack: boolean;
  /** Only for remember: the content is a text that the message hands over ("Remember these notes: …"), not the user's words. */
  readonly isHandedOver: boolean;
  /** Only for forget: erase, do not merely archive. */
  readonly permanently: boolean;
}
