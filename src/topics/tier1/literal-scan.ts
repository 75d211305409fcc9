/** Finds which of many literals stand in a text, in one pass (Aho–Corasick). Literals are compared as they are. */
export class LiteralScan {
  /** Per state: the next state by character code. */
  readonly #next: Map<number, number>[] = [new Map()];
  readonly #fail: number[] = [0];
  /** Per state: the literals that end here, and the nearest shorter state where others end. */
  readonly #ends: number[][] = [[]];
  readonly #shorter: number[] = [0];
  readonly size: number;

  constructor(literals: readonly string[]) {
    this.size = literals.length;
    literals.forEach((literal, id) => {
      let state = 0;
      for (let at = 0; at < literal.length; at += 1) state = this.#child(state, literal.charCodeAt(at));
      this.#ends[state]?.push(id);
    });
    this.#link();
  }

  /** The ids of the literals that stand in the text. */
  find(text: string): Set<number> {
    const found = new Set<number>();
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      state = this.#step(state, text.charCodeAt(at));
      for (let end = state; end !== 0; end = this.#shorter[end] ?? 0) {
        for (const id of this.#ends[end] ?? []) found.add(id);
      }
    }
    return found;
  }

  /** The longest known beginning that goes on with this character. */
  #step(from: number, code: number): number {
    let state = from;
    let next = this.#next[state]?.get(code);
    while (next === undefined && state !== 0) {
      state = this.#fail[state] ?? 0;
      next = this.#next[state]?.get(code);
    }
    return next ?? 0;
  }

  #child(state: number, code: number): number {
    const known = this.#next[state]?.get(code);
    if (known !== undefined) return known;
    const made = this.#next.length;
    this.#next[state]?.set(code, made);
    this.#next.push(new Map());
    this.#fail.push(0);
    this.#ends.push([]);
    this.#shorter.push(0);
    return made;
  }

  /** Breadth first: where a state fails to is shorter, and so was linked before. */
  #link(): void {
    const queue = [...(this.#next[0]?.values() ?? [])];
    for (let head = 0; head < queue.length; head += 1) {
      const state = queue[head] ?? 0;
      for (const [code, child] of this.#next[state] ?? []) {
        const target = this.#step(this.#fail[state] ?? 0, code);
        this.#fail[child] = target;
        this.#shorter[child] = (this.#ends[target]?.length ?? 0) > 0 ? target : (this.#shorter[target] ?? 0);
        queue.push(child);
      }
    }
  }
}
