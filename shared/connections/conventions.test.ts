import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isSource, listTrackedFiles, root } from '#tools/lint/listTrackedFiles.ts'

const sources = listTrackedFiles()
  .filter((path) => /^(?:functions|shared|schema)\/.*\.ts$/.test(path) && isSource(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const pathsOf = (pattern: RegExp): string[] => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('every Durable Object class limits its connections', () => {
  const classes = pathsOf(/extends DurableObject\b/)
  expect(classes.length).toBeGreaterThan(8)
  expect(pathsOf(/extends DurableObject\b[^{]*\{\s*static \{\s*limitObjects\(/)).toEqual(classes)
})

test('every cron and queue of a Worker limits its connections', () => {
  const handlers = /^ {2}(?:async )?(?:scheduled|queue)\b(?!: DeliveryQueue)/m
  const found = pathsOf(handlers)
  expect(found.length).toBeGreaterThanOrEqual(3)
  for (const { path, text } of sources.filter(({ path: own }) => found.includes(own)))
    for (const [line] of text.matchAll(new RegExp(`${handlers.source}.*`, 'gm')))
      expect([path, line]).toEqual([path, expect.stringContaining('limitInvocations(')])
})

/** Requests over the network beside `sendInTurn`: at most one at a time, and why. */
const alone: Record<string, string> = {
  'functions/gateway/local/requestLocalChain.ts': 'a route of the local stack with one request',
}

test('every request over the network takes its turn', () => {
  // `fetch(` itself, neither a method of something nor the declaration of one, outside comments
  const request = /(?<![.\w])(?<!async |override )fetch\((?!request: Request)/
  const direct = sources.filter(({ text }) => request.test(text.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '')))
  expect(direct.length).toBeGreaterThan(4)
  const withoutTurn = direct.filter(({ text }) => !text.includes('sendInTurn')).map(({ path }) => path)
  expect(withoutTurn).toEqual(Object.keys(alone))
})
