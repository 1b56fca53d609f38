const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
}

/** Type of a file by its name; undefined for a folder. Licences of packages have no extension. */
export const findContentType = (path: string): string | undefined => {
  if (path.endsWith('/')) return undefined
  const [, extension] = /\.([a-z0-9]+)$/.exec(path) ?? []
  if (extension === undefined) return /\/[A-Z]+$/.test(path) ? types.txt : undefined
  return types[extension] ?? 'application/octet-stream'
}
