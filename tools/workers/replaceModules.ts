import { join } from 'node:path'

/**
 * Modules of packages that the bundler replaces in every Worker, with what it takes instead: zod's messages in fifty
 * languages, a sixth of a Worker, its reader of JSON Schema, and its compiler.
 * @param root folder with node_modules/
 * @returns absolute paths by the names that the packages import, for wrangler's `alias`
 */
export const replaceModules = (root: string): Record<string, string> => ({
  '../locales/index.js': join(root, 'node_modules/zod/v4/locales/en.js'),
  './from-json-schema.js': join(root, 'tools/workers/fromJsonSchema.ts'),
  './compile.js': join(root, 'tools/workers/compileSchema.ts'),
})
