import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listTrackedFiles, root } from '#tools/lint/listTrackedFiles.ts'

/** The provider of tokens and pools; the accounts of the published snippets, of which one file runs. */
const allowed = [/devAccounts\[7\]/g, /const \[snippetAccount, , , , signedByNode\] = devAccounts/g, /^import .*/gm]

test('files of a shared stack leave the accounts of the node alone, which other files would find changed', () => {
  const shared = listTrackedFiles().filter(
    (path) =>
      /^test\/e2e\/.*\.test\.ts$/.test(path) && readFileSync(join(root, path), 'utf8').includes('useSharedStack('),
  )
  expect(shared.length).toBeGreaterThan(10)
  const users = shared.filter((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    return allowed.reduce((text, part) => text.replaceAll(part, ''), source).includes('devAccounts')
  })
  expect(users).toEqual([])
})
