import { html } from 'hono/html'
import { errorCatalogue, errorClasses } from '#shared/http/errorCatalogue.ts'

/** The catalogue as a page in the look of `/docs`; each row is the target of a `Link` header. */
export const renderErrorsPage = () => html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Errors · edgebook</title>
    <link rel="icon" href="/icon.svg" />
    <link rel="stylesheet" href="/docs/tokens.css" />
    <link rel="stylesheet" href="/docs/docs.css" />
    <script src="/docs/theme.js"></script>
  </head>
  <body>
    <a class="skip-link" href="#main">Skip to the page</a>
    <header class="site-header">
      <a class="brand" href="/"><img src="/icon.svg" alt="" width="28" height="28" />edgebook</a>
      <nav aria-label="Pages">
        <a href="/">Trade</a>
        <a href="/explore">Explore</a>
        <a href="/status">Status</a>
        <a href="/docs">Docs</a>
      </nav>
    </header>
    <main id="main" tabindex="-1" class="quick-start">
      <div class="prose">
        <h1>Errors</h1>
        ${Object.entries(errorClasses).map(([name, meaning]) => html`<p><span class="chip">${name}</span> ${meaning}</p>`)}
      </div>
      <div class="keys errors">
        <table>
          <thead>
            <tr><th scope="col">Type</th><th scope="col">Code</th><th scope="col">Status</th>
              <th scope="col">Class</th><th scope="col">Meaning and cure</th></tr>
          </thead>
          <tbody>
            ${Object.entries(errorCatalogue).map(
              ([errorType, { code, status, class: name, description, cure }]) => html`
            <tr id="${errorType}"><th scope="row">${errorType}</th><td>${code}</td><td>${status}</td>
              <td><span class="chip">${name}</span></td><td>${description}<br />${renderCode(cure)}</td></tr>`,
            )}
          </tbody>
        </table>
      </div>
    </main>
  </body>
</html>
`

/** Text with `code` between backticks. */
const renderCode = (text: string) => text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`))
