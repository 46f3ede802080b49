/** One self-contained page: no file, font or script from elsewhere, so that its policy can forbid everything else. */
import { createHash } from "node:crypto";

const style = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --paper: #f6f7f9; --card: #fff; --line: #c9d1d9;
  --accent: #0b5cad; --on-accent: #fff; --bad: #b3261e; --good: #17692e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebee; --soft: #a3adb8; --paper: #0f1216; --card: #181c22;
  --line: #3a424c; --accent: #7ab8f5; --on-accent: #0b1520; --bad: #ff9d94; --good: #7fd699; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 12px; }
h1 { margin: 0 0 .5rem; font-size: 1.4rem; line-height: 1.25; }
p { margin: 0 0 1rem; color: var(--soft); }
label { display: block; margin: 1rem 0 .3rem; font-weight: 600; }
input { width: 100%; padding: .6rem .7rem; font: inherit; color: inherit; background: var(--paper);
  border: 1px solid var(--line); border-radius: 8px; }
input:focus-visible, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
small { color: var(--soft); }
button { width: 100%; margin-top: 1.5rem; padding: .7rem; font: inherit; font-weight: 600; color: var(--on-accent);
  background: var(--accent); border: 0; border-radius: 8px; cursor: pointer; }
button:disabled { opacity: .6; cursor: default; }
#status { margin: 1rem 0 0; min-height: 1.5rem; }
#status.bad { color: var(--bad); }
#status.good { color: var(--good); }
`;

const script = `
const form = document.querySelector("form");
const button = document.querySelector("button");
const status = document.querySelector("#status");
const token = new URLSearchParams(location.hash.slice(1)).get("token");
const say = (text, kind) => { status.textContent = text; status.className = kind; };
if (!token) {
  form.hidden = true;
  say("This link is not complete. Copy the whole link that the service printed when it started.", "bad");
}
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  say("One moment …", "");
  try {
    const response = await fetch("api/auth/set-up", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token, email: form.email.value, password: form.password.value }),
    });
    if (response.ok) {
      history.replaceState(null, "", location.pathname);
      form.hidden = true;
      document.querySelector("#intro").hidden = true;
      say("Done. You are signed in, and can sign in with this e-mail address and password from now on. " +
        "Programs use the API with the key that the service printed when it started for the first time.", "good");
      return;
    }
    const answer = await response.json().catch(() => ({}));
    say(answer.detail || "The service answered with status " + response.status + ".", "bad");
  } catch {
    say("The service cannot be reached. Is it running?", "bad");
  }
  button.disabled = false;
});
`;

/** Relative addresses, so that the page also works under a path prefix. */
export const setUpPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Set up your account</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Set up your account</h1>
<p id="intro">Choose the e-mail address and the password that you will sign in with. This link works once.</p>
<form>
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" maxlength="254" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password" minlength="10" maxlength="128" required
 aria-describedby="password-rule">
<small id="password-rule">At least 10 characters.</small>
<button type="submit">Save and sign in</button>
</form>
<p id="status" role="status"></p>
<noscript><p>This page needs JavaScript to read the link.</p></noscript>
</main>
<script type="module">${script}</script>
</body>
</html>
`;

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the two parts above by their hash, and requests to this service. */
export const setUpPagePolicy = [
  "default-src 'none'",
  `style-src ${sha256(style)}`,
  `script-src ${sha256(script)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
