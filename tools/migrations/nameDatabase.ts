/**
 * `host:port/database`, whatever the role; a pooled address of Neon is that of its database. A text that is no URL is
 * returned as it is: the check of the setting reports it.
 */
export const nameDatabase = (databaseUrl: string): string => {
  const url = URL.parse(databaseUrl.replace(/^postgres(ql)?:/, 'http:'))
  return url ? `${url.host.replace(/^([^.]+)-pooler(?=\.)/, '$1')}${url.pathname}` : databaseUrl
}
