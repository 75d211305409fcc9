/*
 * The forward pass of a BERT encoder (6 layers, 384 wide) in WebAssembly SIMD: 8-bit weights, one thread, no runtime.
 *
 * Texts are laid end to end without padding: matrix products see one tall matrix of token rows, attention sees one text
 * at a time. Every row is quantised by itself, so a text has the same vector in any batch.
 *
 * Two modules are built from this file. With RELAXED, products of 8-bit numbers are added in 16 bits
 * (i16x8.relaxed_dot_i8x16_i7x16_s); without, weights are widened to 16 bits first. Activations stay within 0..127 in
 * the relaxed form: beyond that its results differ between processors. -ffast-math must stay off: it would fold away
 * the rounding that adds and subtracts MAGIC.
 */
#include <wasm_simd128.h>

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef int i32;
typedef v128_t V;

#define EXPORT(name) __attribute__((export_name(#name)))

enum {
  WIDTH = 384,
  INNER = 1536,
  LAYERS = 6,
  HEADS = 12,
  HEAD_WIDTH = 32,
  QKV = 3 * WIDTH,
  VOCABULARY = 30522,
  MAX_POSITIONS = 512,
  MAX_TOKENS = 512,
  /* Tiles have four rows, so up to three rows past the end are computed and ignored. */
  ROWS = MAX_TOKENS + 4,
  /* Rows of the wide inner layer that are in flight at a time: what fits a core's cache. */
  CHUNK = 64,
};

#define LOAD(p) wasm_v128_load(p)
#define STORE(p, v) wasm_v128_store(p, v)
#define SPLAT32(p) wasm_v128_load32_splat(p)
#define F4(x) wasm_f32x4_splat(x)
#define ADD(a, b) wasm_f32x4_add(a, b)
#define SUB(a, b) wasm_f32x4_sub(a, b)
#define MUL(a, b) wasm_f32x4_mul(a, b)
#ifdef RELAXED
#define MADD(a, b, c) wasm_f32x4_relaxed_madd(a, b, c)
#define MIN(a, b) wasm_f32x4_relaxed_min(a, b)
#define MAX(a, b) wasm_f32x4_relaxed_max(a, b)
#else
#define MADD(a, b, c) ADD(MUL(a, b), c)
#define MIN(a, b) wasm_f32x4_pmin(a, b)
#define MAX(a, b) wasm_f32x4_pmax(a, b)
#endif

/* 1.5 * 2^23: added to a small number, it leaves that number, rounded, in the low bits. */
#define MAGIC 12582912.f
#define MAGIC_BITS 0x4b400000

/* One matrix product. Weights lie as [N / 8][K / 4][8 columns][4 k]; `smooth` multiplies the inputs, `sum` is each column's total. */
typedef struct {
  const float *smooth, *scale, *bias;
  const i32 *sum;
  const i8 *weights;
} Dense;

typedef struct {
  Dense qkv, out, up, down;
  const float *gain1, *bias1, *gain2, *bias2;
} Layer;

static Layer layers[LAYERS];
static const i8 *words;
static const float *wordScale, *positions, *embedGain, *embedBias;

static i32 ids[MAX_TOKENS], lengths[MAX_TOKENS];
static float pooled[MAX_TOKENS * WIDTH];
static float x[ROWS * WIDTH] __attribute__((aligned(64)));
static float qkv[ROWS * QKV], context[ROWS * WIDTH], inner[(CHUNK + 4) * INNER];
/* The inputs of a product as integers: two bytes each without RELAXED, one with it. */
static i16 quantised[ROWS * WIDTH > (CHUNK + 4) * INNER ? ROWS * WIDTH : (CHUNK + 4) * INNER] __attribute__((aligned(64)));
static float rowScale[ROWS];
static i32 rowZero[ROWS];
static float keys[HEAD_WIDTH * (MAX_TOKENS + 8)], scores[4 * (MAX_TOKENS + 8)];
static i32 sums[32];
extern u8 __heap_base;

EXPORT(ids) i32 *getIds(void) { return ids; }
EXPORT(lengths) i32 *getLengths(void) { return lengths; }
/* One vector of length 1 for each text. */
EXPORT(pooled) float *getPooled(void) { return pooled; }
/* The last layer's output for each token, for heads that read spans. */
EXPORT(states) float *getStates(void) { return x; }
EXPORT(weights) u8 *getWeights(void) { return (u8 *)(((i32)&__heap_base + 63) & ~63); }

static const u8 *openDense(Dense *d, const u8 *p, int K, int N) {
  d->smooth = (const float *)p, p += K * 4;
  d->scale = (const float *)p, p += N * 4;
  d->bias = (const float *)p, p += N * 4;
  d->sum = (const i32 *)p, p += N * 4;
  d->weights = (const i8 *)p;
  return p + K * N;
}

/* Finds the parts of the table of words, which was written to weights() before. */
EXPORT(openWords) void openWords(void) {
  const u8 *p = getWeights();
  wordScale = (const float *)p, p += VOCABULARY * 4;
  words = (const i8 *)p;
}

/* Finds the parts of a set of layers, which was written to `p` before: the texts that follow are encoded with it. */
EXPORT(openLayers) void openLayers(const u8 *p) {
  positions = (const float *)p, p += MAX_POSITIONS * WIDTH * 4;
  embedGain = (const float *)p, p += WIDTH * 4;
  embedBias = (const float *)p, p += WIDTH * 4;
  for (Layer *l = layers; l < layers + LAYERS; l++) {
    p = openDense(&l->qkv, p, WIDTH, QKV);
    p = openDense(&l->out, p, WIDTH, WIDTH);
    p = openDense(&l->up, p, WIDTH, INNER);
    p = openDense(&l->down, p, INNER, WIDTH);
    l->gain1 = (const float *)p, p += WIDTH * 4;
    l->bias1 = (const float *)p, p += WIDTH * 4;
    l->gain2 = (const float *)p, p += WIDTH * 4;
    l->bias2 = (const float *)p, p += WIDTH * 4;
  }
}

static inline float sum4(V v) {
  return wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1) + wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3);
}

static inline float larger(float a, float b) { return a > b ? a : b; }

static inline float max4(V v) {
  return larger(larger(wasm_f32x4_extract_lane(v, 0), wasm_f32x4_extract_lane(v, 1)),
                larger(wasm_f32x4_extract_lane(v, 2), wasm_f32x4_extract_lane(v, 3)));
}

/* 2^v for v in [-126, 0], with a relative error of 4e-6. */
static inline V exp2of(V v) {
  v = MAX(v, F4(-126.f));
  V whole = ADD(v, F4(MAGIC)), f = SUB(v, SUB(whole, F4(MAGIC)));
  V p = MADD(MADD(MADD(MADD(F4(.009676047f), f, F4(.05592212f)), f, F4(.24022107f)), f, F4(.69312102f)), f, F4(1.f));
  return wasm_i32x4_add(p, wasm_i32x4_shl(whole, 23));
}

/* v * Phi(v), with Phi as an odd polynomial on [-4, 4] and an absolute error below 2e-4. */
static inline V geluOf(V v) {
  V t = MAX(MIN(v, F4(4.f)), F4(-4.f)), u = MUL(t, t);
  V p = MADD(MADD(MADD(MADD(F4(2.2779291e-8f), u, F4(-1.5984849e-6f)), u, F4(4.7953014e-5f)), u, F4(-8.1398921e-4f)), u, F4(8.7722492e-3f));
  return MUL(v, MADD(t, MADD(MADD(p, u, F4(-.064572772f)), u, F4(.39788307f)), F4(.5f)));
}

static void normalise(float *row, const float *gain, const float *bias) {
  V s = F4(0), q = F4(0);
  for (int i = 0; i < WIDTH; i += 4) {
    V v = LOAD(row + i);
    s = ADD(s, v), q = MADD(v, v, q);
  }
  float mean = sum4(s) / WIDTH, variance = sum4(q) / WIDTH - mean * mean;
  V m = F4(mean), r = F4(1.f / __builtin_sqrtf(variance + 1e-12f));
  for (int i = 0; i < WIDTH; i += 4) STORE(row + i, MADD(MUL(SUB(LOAD(row + i), m), r), LOAD(gain + i), LOAD(bias + i)));
}

#ifdef RELAXED
/* Rows of floats to rows of 0..127 with a zero point, each row with its own scale. */
static void quantise(const float *in, int rows, int K, const float *smooth) {
  const V bits = wasm_i32x4_splat(MAGIC_BITS), cap = wasm_i8x16_splat(127);
  for (int r = 0; r < rows; r++, in += K) {
    V low = F4(0), high = F4(0);
    for (int i = 0; i < K; i += 4) {
      V v = MUL(LOAD(in + i), LOAD(smooth + i));
      low = MIN(low, v), high = MAX(high, v);
    }
    float top = max4(high), bottom = max4(wasm_f32x4_neg(low)), step = larger(top + bottom, 1e-9f) / 127.f;
    int zero = (int)(bottom / step + .5f);
    rowScale[r] = step, rowZero[r] = zero;
    V f = F4(1.f / step), base = ADD(F4(MAGIC), F4((float)zero));
    u8 *o = (u8 *)quantised + r * K;
#define PART(j) wasm_i32x4_sub(MADD(MUL(LOAD(in + i + j), LOAD(smooth + i + j)), f, base), bits)
    for (int i = 0; i < K; i += 16) {
      V v = wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(PART(0), PART(4)), wasm_i16x8_narrow_i32x4(PART(8), PART(12)));
      STORE(o + i, wasm_u8x16_min(v, cap));
    }
  }
}

/*
 * Adds four products of 8 bits in 16 bits, then widens. The export bounds each column's weights so that this cannot
 * overflow. The sums of one 4 x 8 tile go to `sums`.
 */
static inline void multiplyTile(const i8 *w, int row, int K) {
  const V ones = wasm_i16x8_splat(1), zero = wasm_i32x4_splat(0);
  const u8 *a0 = (const u8 *)quantised + row * K, *a1 = a0 + K, *a2 = a1 + K, *a3 = a2 + K;
  V c00 = zero, c01 = zero, c10 = zero, c11 = zero, c20 = zero, c21 = zero, c30 = zero, c31 = zero;
#define PRODUCT(w, a) wasm_i16x8_relaxed_dot_i8x16_i7x16(w, SPLAT32(a))
#define ROW(acc, a) \
  acc = wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(wasm_i16x8_add(wasm_i16x8_add(wasm_i16x8_add(PRODUCT(w0, a + k), PRODUCT(w1, a + k + 4)), PRODUCT(w2, a + k + 8)), PRODUCT(w3, a + k + 12)), ones));
#define COLUMNS(o, A, B, C, D) \
  { \
    V w0 = LOAD(w + o), w1 = LOAD(w + o + 32), w2 = LOAD(w + o + 64), w3 = LOAD(w + o + 96); \
    ROW(A, a0) ROW(B, a1) ROW(C, a2) ROW(D, a3) \
  }
  for (int k = 0; k < K; k += 16, w += 128) {
    COLUMNS(0, c00, c10, c20, c30)
    COLUMNS(16, c01, c11, c21, c31)
  }
  STORE(sums, c00), STORE(sums + 4, c01), STORE(sums + 8, c10), STORE(sums + 12, c11);
  STORE(sums + 16, c20), STORE(sums + 20, c21), STORE(sums + 24, c30), STORE(sums + 28, c31);
}
#else
/* Rows of floats to rows of 13 bits and a sign, each row with its own scale. */
static void quantise(const float *in, int rows, int K, const float *smooth) {
  const V bits = wasm_i32x4_splat(MAGIC_BITS);
  for (int r = 0; r < rows; r++, in += K) {
    V most = F4(0);
    for (int i = 0; i < K; i += 4) most = MAX(most, wasm_f32x4_abs(MUL(LOAD(in + i), LOAD(smooth + i))));
    float step = larger(max4(most), 1e-9f) / 8191.f;
    rowScale[r] = step, rowZero[r] = 0;
    V f = F4(1.f / step);
    i16 *o = quantised + r * K;
#define PART(j) wasm_i32x4_sub(MADD(MUL(LOAD(in + i + j), LOAD(smooth + i + j)), f, F4(MAGIC)), bits)
    for (int i = 0; i < K; i += 8) STORE(o + i, wasm_i16x8_narrow_i32x4(PART(0), PART(4)));
  }
}

/* Widens the weights to 16 bits. An accumulator holds two columns as pairs of partial sums, which are joined at the end. */
static inline void multiplyTile(const i8 *W, int row, int K) {
  for (int half = 0; half < 2; half++) {
    const i8 *w = W + 16 * half;
    const V zero = wasm_i32x4_splat(0);
    const i16 *a0 = quantised + row * K, *a1 = a0 + K, *a2 = a1 + K, *a3 = a2 + K;
    V c00 = zero, c01 = zero, c10 = zero, c11 = zero, c20 = zero, c21 = zero, c30 = zero, c31 = zero;
#define DOT(acc, w, a) acc = wasm_i32x4_add(acc, wasm_i32x4_dot_i16x8(w, a));
#define ROW(A, B, a) \
  { \
    V t = wasm_v128_load64_splat(a + k + 4 * j); \
    DOT(A, u, t) DOT(B, v, t) \
  }
    for (int k = 0; k < K; k += 16, w += 128)
      for (int j = 0; j < 4; j++) {
        V u = wasm_i16x8_load8x8(w + 32 * j), v = wasm_i16x8_load8x8(w + 32 * j + 8);
        ROW(c00, c01, a0) ROW(c10, c11, a1) ROW(c20, c21, a2) ROW(c30, c31, a3)
      }
#define JOIN(a, b) wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 2, 4, 6), wasm_i32x4_shuffle(a, b, 1, 3, 5, 7))
    i32 *o = sums + 4 * half;
    STORE(o, JOIN(c00, c01)), STORE(o + 8, JOIN(c10, c11)), STORE(o + 16, JOIN(c20, c21)), STORE(o + 24, JOIN(c30, c31));
  }
}
#endif

enum Finish { KEEP, GELU, ADD_TO };

static inline void finish(const i32 *sum, int row, const Dense *d, int n, float *o, enum Finish how) {
  V v = wasm_f32x4_convert_i32x4(wasm_i32x4_sub(LOAD(sum), wasm_i32x4_mul(wasm_i32x4_splat(rowZero[row]), LOAD(d->sum + n))));
  v = MADD(v, MUL(F4(rowScale[row]), LOAD(d->scale + n)), LOAD(d->bias + n));
  if (how == GELU) v = geluOf(v);
  if (how == ADD_TO) v = ADD(v, LOAD(o));
  STORE(o, v);
}

/* Multiplies the rows in `quantised` by a matrix of K x N. */
static void multiply(const Dense *d, int rows, int K, int N, float *out, enum Finish how) {
  const i8 *w = d->weights;
  for (int n = 0; n < N; n += 8, w += 8 * K)
    for (int row = 0; row < rows; row += 4) {
      multiplyTile(w, row, K);
      for (int r = 0; r < 4; r++) {
        float *o = out + (row + r) * N + n;
        finish(sums + 8 * r, row + r, d, n, o, how);
        finish(sums + 8 * r + 4, row + r, d, n + 4, o + 4, how);
      }
    }
}

/* out[4][8] = a[4][depth] * b[depth][8] in floats, each row times its factor. */
static inline void multiplyFloats(const float *a, int aWidth, const float *b, int bWidth, int depth, float *out, int outWidth, const float *factor) {
  V c00 = F4(0), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00, c30 = c00, c31 = c00;
  for (int k = 0; k < depth; k++, b += bWidth) {
    V u = LOAD(b), v = LOAD(b + 4), s;
    s = SPLAT32(a + k), c00 = MADD(s, u, c00), c01 = MADD(s, v, c01);
    s = SPLAT32(a + aWidth + k), c10 = MADD(s, u, c10), c11 = MADD(s, v, c11);
    s = SPLAT32(a + 2 * aWidth + k), c20 = MADD(s, u, c20), c21 = MADD(s, v, c21);
    s = SPLAT32(a + 3 * aWidth + k), c30 = MADD(s, u, c30), c31 = MADD(s, v, c31);
  }
#define OUT(i, u, v) \
  { \
    V f = SPLAT32(factor + i); \
    STORE(out + i * outWidth, MUL(u, f)), STORE(out + i * outWidth + 4, MUL(v, f)); \
  }
  OUT(0, c00, c01) OUT(1, c10, c11) OUT(2, c20, c21) OUT(3, c30, c31)
}

/* Turns one row of scores into weights; returns what they must be multiplied by. Scores are powers of two: see attend(). */
static inline float softmax(float *s, int tokens, int padded) {
  for (int j = tokens; j < padded; j++) s[j] = -1e30f;
  V most = LOAD(s), total = F4(0);
  for (int j = 4; j < padded; j += 4) most = MAX(most, LOAD(s + j));
  most = F4(max4(most));
  for (int j = 0; j < padded; j += 4) {
    V e = exp2of(SUB(LOAD(s + j), most));
    total = ADD(total, e);
    STORE(s + j, e);
  }
  return 1.f / sum4(total);
}

/* Attention within one text. The exported query weights carry log2(e) / sqrt(32). */
static void attend(const float *in, float *out, int tokens) {
  static const float one[4] = {1, 1, 1, 1};
  int padded = (tokens + 7) & ~7;
  for (int h = 0; h < HEADS; h++, in += HEAD_WIDTH, out += HEAD_WIDTH) {
    for (int d = 0; d < HEAD_WIDTH; d++)
      for (int j = 0; j < padded; j++) keys[d * padded + j] = j < tokens ? in[j * QKV + WIDTH + d] : 0;
    for (int i = 0; i < tokens; i += 4) {
      float factor[4];
      for (int j = 0; j < padded; j += 8) multiplyFloats(in + i * QKV, QKV, keys + j, padded, HEAD_WIDTH, scores + j, padded, one);
      for (int r = 0; r < 4; r++) factor[r] = softmax(scores + r * padded, tokens, padded);
      for (int d = 0; d < HEAD_WIDTH; d += 8)
        multiplyFloats(scores, padded, in + 2 * WIDTH + d, QKV, tokens, out + i * WIDTH + d, WIDTH, factor);
    }
  }
}

/* Writes the sum of word and position vectors for each token; returns the number of tokens. */
static int lookUp(int texts) {
  int at = 0;
  for (int t = 0; t < texts; t++)
    for (int i = 0; i < lengths[t]; i++, at++) {
      const i8 *w = words + ids[at] * WIDTH;
      const float *p = positions + i * WIDTH;
      float *o = x + at * WIDTH;
      V scale = F4(wordScale[ids[at]]);
      for (int j = 0; j < WIDTH; j += 4) {
        V wide = wasm_i32x4_extend_low_i16x8(wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(w + j)));
        STORE(o + j, MADD(wasm_f32x4_convert_i32x4(wide), scale, LOAD(p + j)));
      }
      normalise(o, embedGain, embedBias);
    }
  return at;
}

static void runLayer(const Layer *l, int texts, int tokens) {
  quantise(x, tokens, WIDTH, l->qkv.smooth);
  multiply(&l->qkv, tokens, WIDTH, QKV, qkv, KEEP);
  for (int t = 0, at = 0; t < texts; at += lengths[t++]) attend(qkv + at * QKV, context + at * WIDTH, lengths[t]);
  quantise(context, tokens, WIDTH, l->out.smooth);
  multiply(&l->out, tokens, WIDTH, WIDTH, x, ADD_TO);
  for (int i = 0; i < tokens; i++) normalise(x + i * WIDTH, l->gain1, l->bias1);
  for (int at = 0; at < tokens; at += CHUNK) {
    int rows = tokens - at < CHUNK ? tokens - at : CHUNK;
    float *part = x + at * WIDTH;
    quantise(part, rows, WIDTH, l->up.smooth);
    multiply(&l->up, rows, WIDTH, INNER, inner, GELU);
    quantise(inner, rows, INNER, l->down.smooth);
    multiply(&l->down, rows, INNER, WIDTH, part, ADD_TO);
    for (int i = 0; i < rows; i++) normalise(part + i * WIDTH, l->gain2, l->bias2);
  }
}

/* Writes the mean of a text's token rows, scaled to length 1. */
static const float *pool(const float *row, int tokens, float *o) {
  V square = F4(0);
  for (int j = 0; j < WIDTH; j += 4) STORE(o + j, F4(0));
  for (int i = 0; i < tokens; i++, row += WIDTH)
    for (int j = 0; j < WIDTH; j += 4) STORE(o + j, ADD(LOAD(o + j), LOAD(row + j)));
  for (int j = 0; j < WIDTH; j += 4) square = MADD(LOAD(o + j), LOAD(o + j), square);
  V f = F4(1.f / __builtin_sqrtf(sum4(square)));
  for (int j = 0; j < WIDTH; j += 4) STORE(o + j, MUL(LOAD(o + j), f));
  return row;
}

/* Encodes texts whose token ids lie end to end in ids() and whose lengths are in lengths(); at most 512 tokens in all. */
EXPORT(encode) void encode(int texts) {
  int tokens = lookUp(texts);
  for (int n = 0; n < LAYERS; n++) runLayer(layers + n, texts, tokens);
  const float *row = x;
  for (int t = 0; t < texts; t++) row = pool(row, lengths[t], pooled + t * WIDTH);
}
