/** `host:port/database`, whatever the role; a pooled address of Neon is that of its database. */
export const nameDatabase = (databaseUrl: string): string => {
  const { host, pathname } = new URL(databaseUrl.replace(/^postgres(ql)?:/, 'http:'))
  return `${host.replace(/^([^.]+)-pooler(?=\.)/, '$1')}${pathname}`
}
