import { readFile } from 'node:fs/promises'
import type { Plugin } from 'esbuild'
import { parseAbi } from 'viem'

/** A call with a list of literal texts. */
const call = /\bparseAbi\((\[[^\]]*(?:\[\d*\][^\]]*)*\])\)/g
const literal = /'([^'\\\n]*)'/g

/**
 * Embeds contract interfaces as they are parsed: parsing their signatures took a Worker some milliseconds of its
 * start-up.
 */
export const embedAbis: Plugin = {
  name: 'embed-abis',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\](?:shared|functions)[/\\].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('parseAbi(')) return
      return { contents: source.replace(call, (_, list: string) => toJson(list)), loader: 'ts' }
    }),
}

/** The list of texts as a parsed interface. */
const toJson = (list: string): string => {
  const signatures = [...list.matchAll(literal)].map(([, signature = '']) => signature)
  return JSON.stringify(parseAbi(signatures as readonly string[] as never))
}
