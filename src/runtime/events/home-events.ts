/** The events of a home, as its followers receive them. */
export interface HomeEvents {
  readonly mutation: {
    readonly mutation: string;
    readonly time: string;
    readonly actor: string;
    readonly action: string;
    readonly summary: string;
    readonly session: string | null;
    readonly files: readonly string[];
  };
  readonly proposal: { readonly waiting: number };
  readonly alert: { readonly waiting: number };
  readonly job: { readonly job: string; readonly run: string; readonly state: string; readonly summary: string };
  readonly receipt: { readonly id: string; readonly session: string | null; readonly clock: string };
  readonly session: { readonly session: string; readonly state: 'open' | 'ended' };
  /** Something was missed: whoever shows anything should ask anew. */
  readonly reset: Readonly<Record<string, never>>;
}
