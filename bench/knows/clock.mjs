// Loaded before the hook program: its clock then stands where the benchmark says, and goes on from there.
const startMs = Number(process.env.BENCH_CLOCK_MS);
const offsetMs = startMs - Date.now();
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + offsetMs] : given));
  }
  static now() {
    return RealDate.now() + offsetMs;
  }
};
