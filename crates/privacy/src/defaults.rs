//! What counts without a rules file. `docs/privacy.md` says why each list is as it is.

/// Always secret, whatever the text.
pub(crate) const SECRET_NAMES: [&str; 43] = [
    "pwd",
    "passphrase",
    "credential",
    "authorization",
    "proxy authorization",
    "cookie",
    "set cookie",
    "api key",
    "app key",
    "private key",
    "secret key",
    "access key",
    "access key id",
    "secret access key",
    "account key",
    "shared key",
    "master key",
    "signing key",
    "encryption key",
    "license key",
    "access token",
    "refresh token",
    "auth token",
    "id token",
    "session token",
    "bearer token",
    "security token",
    "csrf token",
    "xsrf token",
    "api token",
    "oauth token",
    "reset token",
    "session id",
    "jsessionid",
    "session key",
    "bearer",
    "auth header",
    "connection string",
    "iban",
    "tax id",
    "passport",
    "one time code",
    "otp",
];

/// Numbers of these names are as telling as texts.
pub(crate) const SECRET_NUMBERS: [&str; 16] = [
    "password",
    "passwd",
    "passcode",
    "secret",
    "ssn",
    "social security",
    "social security number",
    "card number",
    "credit card",
    "credit card number",
    "debit card",
    "cvv",
    "cvc",
    "pin code",
    "account number",
    "passport number",
];

/// Parsers have tokens, maps have keys, games have cards: here the text itself must look like a secret.
pub(crate) const AMBIGUOUS_NAMES: [&str; 6] = ["token", "key", "card", "pin", "auth", "session"];

/// Classes of the JDK that hold nothing else.
pub(crate) const SECRET_TYPES: [&str; 4] = [
    "javax.crypto.spec.SecretKeySpec",
    "javax.crypto.spec.PBEKeySpec",
    "java.net.PasswordAuthentication",
    "java.net.HttpCookie",
];

/// Of the API jar.
pub(crate) const ANNOTATION: &str = "recrash.Sensitive";

/// Nobody has to tell two of these apart.
pub(crate) const MASKED_VALUES: [&str; 8] = [
    "private-key",
    "bearer",
    "basic",
    "jwt",
    "aws-key",
    "provider-token",
    "url-password",
    "assignment",
];

/// These name people and accounts, which programs tell apart: equal ones stay equal, different ones different.
pub(crate) const HASHED_VALUES: [&str; 3] = ["email", "iban", "card"];
