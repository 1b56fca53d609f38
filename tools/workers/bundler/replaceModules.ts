import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'

const zod = dirname(createRequire(import.meta.url).resolve('zod/package.json'))

const jsonSchema = join(import.meta.dirname, 'jsonSchema.ts')

/** Absolute paths of what is bundled, by what zod's modules import. */
const replacements: Readonly<Record<string, string>> = {
  '../locales/index.js': join(zod, 'v4/locales/en.js'),
  './from-json-schema.js': join(import.meta.dirname, 'fromJsonSchema.ts'),
  './compile.js': join(import.meta.dirname, 'compileSchema.ts'),
  './to-json-schema.js': jsonSchema,
  '../core/to-json-schema.js': jsonSchema,
}

/**
 * Replaces what no Worker uses of zod: its messages in fifty languages, a sixth of a Worker, its reader and writer of
 * JSON Schema, and its compiler.
 */
export const replaceModules: Plugin = {
  name: 'replace-modules',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(locales\/index|(from|to)-json-schema|compile)\.js$/ }, ({ path, importer }) => {
      const replacement = replacements[path]
      return replacement && importer.startsWith(zod) ? { path: replacement } : undefined
    }),
}
