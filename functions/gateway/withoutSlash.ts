/** Every path answers with and without a trailing slash. */
export const withoutSlash = (pathname: string): string =>
  pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
