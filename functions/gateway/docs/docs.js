// The script beside this one defines it.
const { SwaggerUIBundle } = window

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  // nothing of this page is asked of, or told to, anybody else
  validatorUrl: null,
  persistAuthorization: false,
})
