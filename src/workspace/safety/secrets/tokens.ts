import { type SecretRule, patternRule } from './rule.ts';
import { isPlaceholder, looksRandom } from './values.ts';

/**
 * Every repeated part is a plain character class with a boundary before the token, so that no input makes a pattern
 * try the same characters again and again.
 */
const isNotExample = (token: string): boolean => !/example|x{8}|(.)\1{11}/i.test(token);

/** A vendor's own token format; the prefix is what makes it recognisable, so the boundary before it is implied. */
function vendorToken(rule: string, pattern: RegExp): SecretRule {
  return patternRule(rule, new RegExp(`(?<![A-Za-z0-9])(?:${pattern.source})`, pattern.flags), {
    accept: isNotExample,
  });
}

/** The same for prefixes of letters only, which turn up by chance inside long base64. */
function bareVendorToken(rule: string, pattern: RegExp): SecretRule {
  const bounded = `(?<![A-Za-z0-9+/_-])(?:${pattern.source})(?![A-Za-z0-9+/=_-])`;
  return patternRule(rule, new RegExp(bounded), { accept: isNotExample });
}

export const TOKEN_RULES: readonly SecretRule[] = [
  vendorToken('anthropic-key', /sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,}/),
  vendorToken('openai-key', /sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{32,}/),
  vendorToken('openrouter-key', /sk-or-(?:v\d-)?[A-Za-z0-9]{32,}/),
  vendorToken('github-token', /gh[pousr]_[A-Za-z0-9_]{36,}|github_pat_[A-Za-z0-9_]{36,}/),
  vendorToken('gitlab-token', /gl(?:pat|dt|rt|ptt|ft|soat|cbt|agent|oas|imt|ffct)-[A-Za-z0-9_.-]{20,}/),
  vendorToken(
    'slack-token',
    /xox[abeoprs]-[A-Za-z0-9-]{10,}|xoxe\.xox[bp]-\d-[A-Za-z0-9-]{20,}|xapp-\d-[A-Za-z0-9-]{20,}/,
  ),
  vendorToken('stripe-key', /[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}/),
  vendorToken('npm-token', /npm_[A-Za-z0-9]{36,}/),
  vendorToken('huggingface-token', /hf_[A-Za-z0-9]{30,}/),
  vendorToken('google-oauth', /GOCSPX-[A-Za-z0-9_-]{24,}|ya29\.[A-Za-z0-9_-]{30,}/),
  vendorToken('pypi-token', /pypi-AgE[A-Za-z0-9_-]{50,}/),
  vendorToken('sendgrid-key', /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}/),
  vendorToken('groq-key', /gsk_[A-Za-z0-9]{40,}/),
  vendorToken('xai-key', /xai-[A-Za-z0-9]{40,}/),
  vendorToken('perplexity-key', /pplx-[A-Za-z0-9]{40,}/),
  vendorToken('replicate-token', /r8_[A-Za-z0-9]{30,}/),
  vendorToken('tavily-key', /tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}/),
  vendorToken('digitalocean-token', /do[opr]_v1_[a-f0-9]{64}/),
  vendorToken('supabase-key', /sb[ps]_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}/),
  vendorToken('vault-token', /hv[sbr]\.[A-Za-z0-9_-]{24,}/),
  vendorToken('airtable-token', /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/),
  vendorToken('notion-token', /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/),
  vendorToken('postman-key', /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/),
  vendorToken('new-relic-key', /NRAK-[A-Z0-9]{27}/),
  vendorToken('sentry-token', /sntry[su]_[A-Za-z0-9+/=_]{40,}/),
  vendorToken('age-key', /AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{58,120}/),
  patternRule(
    'mneme-token',
    /(?<![A-Za-z0-9])mneme_(?=[a-z0-9_-]{0,64}[A-Z])(?=[A-Z0-9_-]{0,64}[a-z])[A-Za-z0-9_-]{32,64}(?![A-Za-z0-9_-])/,
  ),
  vendorToken('brevo-key', /xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/),
  vendorToken('together-key', /tgp_v1_[A-Za-z0-9_-]{40,}/),
  vendorToken('cerebras-key', /csk-[a-z0-9]{40,}/),
  vendorToken('firecrawl-key', /fc-[0-9a-f]{32}(?![0-9a-f])/),
  vendorToken('bitbucket-token', /ATBB[A-Za-z0-9]{24,}/),
  vendorToken('wallet-key', /[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}(?![A-Za-z0-9])/),
  vendorToken('nostr-key', /nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])/),
  vendorToken('telegram-token', /\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/),
  vendorToken('discord-token', /[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![A-Za-z0-9_-])/),
  vendorToken('jwt', /eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/),
  vendorToken('terraform-token', /[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,70}/),
  vendorToken('mailgun-key', /key-[0-9a-f]{32}(?![0-9a-f])/),
  vendorToken('mailchimp-key', /[0-9a-f]{32}-us\d{1,2}(?!\d)/),
  vendorToken('heroku-key', /HRKU-[A-Za-z0-9_-]{36,}/),
  vendorToken('doppler-token', /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/),
  vendorToken('planetscale-token', /pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,64}/),
  vendorToken('fly-token', /fo1_[A-Za-z0-9_-]{43}|fm[12][ar]?_[A-Za-z0-9+/=_-]{60,}/),
  vendorToken('square-token', /sq0[a-z]{3}-[A-Za-z0-9_-]{22,43}/),
  vendorToken('buildkite-token', /bkua_[0-9a-f]{40}/),
  vendorToken('pulumi-token', /pul-[0-9a-f]{40}/),
  vendorToken('rubygems-key', /rubygems_[0-9a-f]{48}/),
  vendorToken('dynatrace-token', /dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/),
  vendorToken('netlify-token', /nfp_[A-Za-z0-9]{36,}/),
  vendorToken('atlassian-token', /ATATT3[A-Za-z0-9_=-]{60,}/),
  vendorToken('azure-client-secret', /[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/),
  vendorToken('langfuse-key', /sk-lf-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/),
  vendorToken('langsmith-key', /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/),
  vendorToken('nvidia-key', /nvapi-[A-Za-z0-9_-]{60,}/),
  vendorToken('pinecone-key', /pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,}/),
  vendorToken('mapbox-key', /sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}/),
  vendorToken('typeform-token', /tfp_[A-Za-z0-9_-]{40,}/),
  bareVendorToken('alibaba-key', /LTAI[A-Za-z0-9]{20}/),
  bareVendorToken('google-key', /AIza[A-Za-z0-9_-]{35}/),
  bareVendorToken('aws-access-key', /(?:AKIA|ASIA)[A-Z2-7]{16}/),
  bareVendorToken('twilio-key', /SK[0-9a-f]{32}/),
  // Wallet import format: base58, whole in length
  bareVendorToken('wallet-key', /5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51}/),
];

/** Secrets that only what stands around them gives away; that stays, the secret goes. */
export const CONTEXT_RULES: readonly SecretRule[] = [
  patternRule(
    'aws-secret-key',
    /secret[_ -]?(?:access[_ -]?)?key["'\\]{0,2}[ \t]{0,8}(?:=>|[:=])[ \t]{0,8}["'\\]{0,2}(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
    { accept: isNotExample },
  ),
  patternRule('azure-key', /(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{40,90}={0,2})/i),
  patternRule('slack-webhook', /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/]{20,160}/i),
  patternRule('discord-webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{10,24}\/(?<secret>[A-Za-z0-9_-]{40,120})/i),
  patternRule('npm-token', /(?<![A-Za-z0-9])_auth(?:Token)?[ \t]?=[ \t]?["']?(?<secret>[^\s"'$=]{8,512}={0,2})/, {
    accept: (value) => !isPlaceholder(value),
  }),
  patternRule(
    'url-password',
    /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'`<>]{0,128}:(?<secret>[^\s/"'`<>]{2,256})@(?=[\w.[%-])/i,
    {
      accept: (password) => !isPlaceholder(password) && !/^[\d,:]*$/.test(password),
    },
  ),
  patternRule('url-token', /https?:\/\/(?<secret>[^\s:/@"'`<>]{16,256}:x-oauth-basic)@/i),
  patternRule(
    'authorization',
    /authorization["'\\]{0,3}[ \t]{0,8}[:=][ \t]{0,8}["'\\]{0,3}(?:basic|bearer|token|apikey|key|ssws)[ \t]{1,4}(?<secret>[^\s"'\\,]{8,4096})/i,
    { accept: (value) => !isPlaceholder(value) && (/\d/.test(value) || value.endsWith('=')) },
  ),
  // Schemes with parameters: all of them, because user, nonce and response belong together
  patternRule(
    'authorization',
    /(?<!www-)authorization["'\\]{0,3}[ \t]{0,8}[:=][ \t]{0,8}["'\\]{0,3}(?:digest|hawk|oauth|aws4-hmac-sha256)[ \t]{1,4}(?<secret>\w{1,24}=[^\n]{12,4096}?)(?=\\?["']?[ \t]{0,8}(?:\r?\n|$))/i,
    { accept: (value) => !/[<{$]/.test(value) },
  ),
  patternRule(
    'secret',
    /(?:^|[\s"'])(?:private-token|job-token|x-[\w-]{0,40}(?:token|key|secret))["']?:[ \t]{1,4}["']?(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/i,
    { accept: (value) => !isPlaceholder(value) && /\d/.test(value) && /[A-Za-z]/.test(value) && !value.includes('/') },
  ),
  patternRule('authorization', /\bbearer[ \t]{1,4}(?<secret>[A-Za-z0-9._~+/=-]{16,4096})/i, { accept: looksRandom }),
  patternRule('curl-user', /\bcurl\b[^\n]{0,300}?[ \t](?:-u|--user)[ =]["']?[^\s:"']{1,64}:(?<secret>[^\s"']{3,128})/, {
    accept: (value) => !isPlaceholder(value),
  }),
];

/** A card, named; other cards have numbers that anybody may know. */
const CARD =
  /(?<!(?:library|membership|loyalty|gift|sim|sd|graphics|business|report|student|insurance)[ -]?)(?:(?:credit|debit|bank|payment)[ -]?card|card (?:number|no\b|#)|visa|mastercard|master card|amex|american express|maestro|kreditkarten?|(?:bank|ec-?|giro)karten?|kartennummer|tarjeta|carte (?:bancaire|bleue|de crédit|de paiement|visa)|numéro de (?:la |ma )?carte|\bcard)/giu;
/** The number may stand a few words behind. */
const NUMBER = /^[^\n\d]{0,60}?(?<!\d)(?<number>\d(?:[ -]?\d){12,18})(?![\d-])/du;

/** The sum by which every card number is checked. */
function isCardNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/gu, '');
  if (digits.length < 13 || /^(\d)\1+$/u.test(digits)) return false;
  let sum = 0;
  for (const [at, digit] of [...digits].reverse().entries()) {
    const doubled = Number(digit) * (at % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The number of a payment card, where it is called one. */
export const cardRule: SecretRule = {
  *find(text) {
    for (const match of text.matchAll(CARD)) {
      const from = match.index + match[0].length;
      const [start, end] = NUMBER.exec(text.slice(from, from + 100))?.indices?.groups?.['number'] ?? [0, 0];
      if (end === 0 || !isCardNumber(text.slice(from + start, from + end))) continue;
      yield { rule: 'card-number', start: from + start, end: from + end, shownPrefix: '' };
    }
  },
};
