import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'favicon-32x32.png', 'LICENSE', 'NOTICE']

/**
 * Puts together the pages that the gateway serves, in the folder that its wrangler.toml names: `docs/`, our page around Swagger
 * UI as its package has it. Nothing is written that is there already, so several stacks may start at once.
 * @param root folder with functions/
 * @param folder of the assets
 */
export const buildAssets = async (root: string, folder: string): Promise<void> => {
  const own = join(root, 'functions/gateway/docs')
  const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  const files = [
    ...(await readdir(own)).map((name) => [join(own, name), `docs/${name}`] as const),
    ...swaggerFiles.map((name) => [join(swagger, name), `docs/${name}`] as const),
  ]
  await mkdir(join(folder, 'docs'), { recursive: true })
  await Promise.all(files.map(([from, to]) => copyChanged(from, join(folder, to))))
}

const copyChanged = async (from: string, to: string): Promise<void> => {
  const [wanted, there] = await Promise.all([readFile(from), readFile(to).catch(() => undefined)])
  if (there?.equals(wanted)) return
  const draft = `${to}.${randomUUID()}`
  await writeFile(draft, wanted)
  await rename(draft, to)
}
