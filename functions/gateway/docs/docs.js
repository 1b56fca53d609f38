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
