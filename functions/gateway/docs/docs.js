// defined by swagger-ui-bundle.js
const { SwaggerUIBundle } = window

/**
 * Replaces references within the document by what they name, and `allOf` by one schema. Swagger UI's own resolver reads the whole
 * document again for each operation that opens, which takes seconds; ours knows references of the form `#/a/b` only.
 * @param outer references around the value: one that is inside of itself stays
 */
const resolve = (document, value, outer = []) => {
  if (Array.isArray(value)) return value.map((item) => resolve(document, item, outer))
  if (!isObject(value)) return value
  const { $ref, allOf, ...others } = value
  if ($ref && outer.includes($ref)) return value
  const fields = mapValues(others, (item) => resolve(document, item, outer))
  const parts = (allOf ?? []).map((part) => resolve(document, part, outer))
  if ($ref) {
    const keys = $ref.slice(2).split('/')
    const named = resolve(document, find(document, keys), [...outer, $ref])
    parts.push(keys[1] === 'schemas' ? { title: keys.at(-1), ...named } : named)
  }
  return [...parts, fields].reduce(merge)
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const mapValues = (object, map) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
const find = (document, keys) => keys.reduce((value, key) => value?.[key], document)

/** Two schemas that both apply: fields of both, required ones together, the second's where they differ. */
const merge = (first, second) => {
  if (Array.isArray(first) && Array.isArray(second)) return [...new Set([...first, ...second])]
  if (!isObject(first) || !isObject(second)) return second
  return {
    ...first,
    ...Object.fromEntries(
      Object.entries(second).map(([key, value]) => [key, key in first ? merge(first[key], value) : value]),
    ),
  }
}

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
  plugins: [
    {
      fn: {
        resolveSubtree: async (document, keys) => ({ spec: resolve(document, find(document, keys)), errors: [] }),
      },
    },
  ],
})

/** A link inside a button is not accessible; the button opens the operation and changes the address as well. */
const dropNestedLinks = () => {
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href')
}

new MutationObserver(dropNestedLinks).observe(document.getElementById('docs'), { childList: true, subtree: true })
