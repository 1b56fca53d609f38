const languages: Record<string, string> = { sdk: 'ts', fetch: 'ts', curl: 'sh' }
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }
const snippet = /<pre data-client="(\w+)"><code[^>]*>(.*?)<\/code><\/pre>/gs

/** The quick start of `docs/index.html` as Markdown: headings, paragraphs, lists, tables and snippets of our own page. */
export const toMarkdown = (page: string): string => {
  const main = /<main[^>]*>(.*?)<section class="reference"/s.exec(page)?.[1] ?? ''
  const snippets: string[] = []
  const text = main
    .replace(/<script.*?<\/script>/gs, '')
    .replace(snippet, (_, client: string, code: string) => {
      snippets.push(`**${client}**\n\n\`\`\`${languages[client] ?? ''}\n${code}\n\`\`\``)
      return `\n\n\0${snippets.length - 1}\0\n\n`
    })
    .replace(/\s+/g, (space) => (space.includes('\n\n') ? '\n\n' : ' '))
    .replace(/<h([1-3])[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
    .replace(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gs, '[$2]($1)')
    .replace(/<\/?code>/g, '`')
    .replace(/<\/thead>/g, '\n| --- | --- | --- |')
    .replace(/<tr>/g, '\n|')
    .replace(/<\/t[hd]>/g, ' |')
    .replace(/<li>/g, '\n- ')
    .replace(/<\/(?:p|h[1-3]|table|ul|ol|div|section)>/g, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/ *\n */g, '\n')
    .replace(/\n\s*\n\s*/g, '\n\n')
    .replace(/\0(\d+)\0/g, (_, index: string) => snippets[Number(index)] ?? '')
  return `${text.replace(/&(\w+);/g, (entity, name: string) => entities[name] ?? entity).trim()}\n`
}
