/** Removes a trailing slash; every path works with and without one. */
export const withoutSlash = (pathname: string): string =>
  pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
