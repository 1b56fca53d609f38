import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { listTrackedFiles, root } from './lint/listTrackedFiles.ts'

const files = listTrackedFiles()
const folders = new Set(files.flatMap((file) => file.split('/').map((_, i, parts) => parts.slice(0, i).join('/'))))
const names = new Set(files.map((file) => file.slice(file.lastIndexOf('/') + 1)))
const documents = files.filter((file) => /^([A-Z]+|docs\/.*)\.md$/.test(file))

/** Generated, not in the repository. */
const generated = new Set(['console/api/openapi.d.ts'])

const topFolders = 'console|contracts|deploy|docs|examples|functions|schema|shared|test|tools'
const paths = new RegExp(`(?<![\\w./<-])(?:${topFolders})/[\\w./-]*[\\w/]`, 'g')
const bareNames = /(?<=`)[\w-]+(?:\.property)?(?:\.test)?\.(?:ts|tsx|sol|toml)(?=`)/g
const links = /\]\((?!https?:|#)([^)#]+)/g

const exists = (path: string): boolean => {
  const plain = path.replace(/\/$/, '')
  return files.includes(plain) || folders.has(plain) || generated.has(plain)
}

test.each(documents)('%s names only existing files and folders', (document) => {
  const text = readFileSync(join(root, document), 'utf8')
  const targets = [...text.matchAll(links)].map(([, target = '']) => normalize(join(dirname(document), target)))
  const missing = [
    ...[...(text.match(paths) ?? []), ...targets].filter((path) => !exists(path)),
    ...(text.match(bareNames) ?? []).filter((name) => !names.has(name)),
  ]
  expect(missing).toEqual([])
})
