import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Examples by the name of their client on the page. */
const examples = { sdk: 'quickStartSdk.ts', fetch: 'quickStart.ts', curl: 'quickStart.sh' }
const empty = /(<pre data-client="(\w+)"><code data-step="(\w+)">)(<\/code><\/pre>)/g

/**
 * The page of `/docs`, whose snippets are the steps of examples: each begins with a comment `step: name`.
 * @param root folder with functions/ and examples/
 * @throws Error when an example lacks a step of the page
 */
export const buildQuickStart = async (root: string): Promise<string> => {
  const page = await readFile(join(root, 'functions/gateway/docs/index.html'), 'utf8')
  const steps = new Map<string, string>()
  for (const [client, file] of Object.entries(examples)) {
    const [, ...parts] = (await readFile(join(root, 'examples', file), 'utf8')).split(/^(?:\/\/|#) step: (\w+)\n/m)
    for (let i = 0; i < parts.length; i += 2) steps.set(`${client} ${parts[i]}`, (parts[i + 1] ?? '').trimEnd())
  }
  return page.replace(empty, (_, begin: string, client: string, step: string, end: string) => {
    const code = steps.get(`${client} ${step}`)
    if (!code) throw new Error(`no step ${step} for ${client}`)
    return `${begin}${code.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}${end}`
  })
}
