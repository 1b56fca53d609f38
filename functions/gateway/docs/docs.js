// defined by swagger-ui-bundle.js
const { SwaggerUIBundle } = window

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // no request to a third party
  validatorUrl: null,
  persistAuthorization: false,
})

/** A link inside a button is not accessible; the button opens the operation and changes the address as well. */
const dropNestedLinks = () => {
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
}

new MutationObserver(dropNestedLinks).observe(document.getElementById('docs'), { childList: true, subtree: true })
