/**
 * Cheap tests that spare ordinary notes the rules. They may say yes too often, never no wrongly: prefilter.test.ts
 * compares them with what the rules find.
 */

/** Nearly every token format has an unbroken run this long, and a vendor's next one will have it too. */
const LONG_RUN = /\b[\w+-]{20}/;

/** Signs that secretlint's other rules start from: URLs with credentials, key headers, and formats with short parts. */
const PRESET_SIGN = /:\/\/[^\s/]*:|hooks\.slack|-----BEGIN|secret_?access|xox[a-z]-|xapp-/i;

/** The names and signs that our own rules, and those of the preset, look for. */
const SECRET_SIGN =
  /pass|pw|psw|mdp|clave|clé|schlüssel|schluessel|jeton|geheim|zugangscode|\bpin\b|-pin\b|\bpuk\b|cvv|cvc|prüfnummer|kartenprüf|cryptogramme|security code|código|code d|code de|code secret|recovery|backup code|rescue code|emergency code|scratch code|notfallcode|wiederherstell|récup|secours|card|karte|tarjeta|carte|visa|maestro|amex|american express|putty|secret|token|credential|key|auth|bearer|curl|kennwort|contrase|senha|wachtwoord|hasło|парол|密|口令|パスワ|비밀|-----BEGIN|xox|xapp-|:\/\/|mysql|mariadb|redis|valkey|mongo|docker login|podman login|ldap|sqlcmd|bcp|7z|zip|smbclient|rpcclient|https? |openssl|rabbitmq|psk|cookie|[?&]sig|otp|2fa|mfa|\$\w{1,8}\$|:(?:\*|\d{4,5}):|"d\\?"/i;

/** Whether any rule could find something. */
export function mayHoldSecret(text: string): boolean {
  return SECRET_SIGN.test(text) || LONG_RUN.test(text);
}

/** Whether a rule of the preset could, which is worth loading it for. */
export function mayHoldVendorToken(text: string): boolean {
  return PRESET_SIGN.test(text) || LONG_RUN.test(text);
}
