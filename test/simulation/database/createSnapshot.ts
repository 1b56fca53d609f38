import type { PGlite } from '@electric-sql/pglite'

/** A file or folder of the database's file system, in memory. */
type FileNode = {
  name: string
  parent: FileNode
  name_next: FileNode | undefined
  mode: number
  usedBytes?: number
  contents?: Uint8Array | Int8Array | Folder
}
type Folder = Record<string, FileNode>
/** An open file; `fd` is null once it is closed. */
type FileStream = { fd: number | null; shared: { position?: number; flags?: number }; path?: string }
type FileSystem = {
  nameTable: (FileNode | undefined)[]
  nextInode: number
  streams: (FileStream | null)[]
  open: (path: unknown, ...rest: unknown[]) => unknown
}
type Program = { FS: FileSystem; HEAPU8: Uint8Array }

/** Memory is compared and copied in these parts, bytes. */
const pageBytes = 65_536
const zeroPage = Buffer.alloc(pageBytes)

/**
 * The state of a running database: its memory and its files. To restore it takes a twentieth of the time of another start,
 * and the code that the runtime has compiled remains.
 * @returns brings the database back to this state
 * @throws Error when it has loaded a library since, which is outside of its memory
 */
export const createSnapshot = (pglite: PGlite): (() => void) => {
  const program = pglite.Module as unknown as Program
  const restoreMemory = createMemorySnapshot(program)
  const restoreFiles = createFilesSnapshot(program.FS)
  const libraries: string[] = []
  const open = program.FS.open
  program.FS.open = (path, ...rest) => {
    if (typeof path === 'string' && path.endsWith('.so')) libraries.push(path)
    return open(path, ...rest)
  }
  return () => {
    if (libraries.length > 0) throw new Error(`the database has loaded ${libraries.join(' and ')}`)
    restoreMemory()
    restoreFiles()
  }
}

const createMemorySnapshot = (program: Program): (() => void) => {
  const viewPages = () => {
    const { buffer, byteLength } = program.HEAPU8
    return Array.from({ length: byteLength / pageBytes }, (_, i) => Buffer.from(buffer, i * pageBytes, pageBytes))
  }
  const saved = viewPages().map((page) => (page.equals(zeroPage) ? zeroPage : Buffer.from(page)))
  return () => {
    for (const [i, page] of viewPages().entries()) {
      const earlier = saved[i] ?? zeroPage
      if (!page.equals(earlier)) earlier.copy(page)
    }
  }
}

/** Contents of a file; folders have their nodes by name. */
const readBytes = ({ contents, usedBytes = 0 }: FileNode): Buffer | undefined =>
  ArrayBuffer.isView(contents) ? Buffer.from(contents.buffer, contents.byteOffset, usedBytes) : undefined

const createFilesSnapshot = (files: FileSystem): (() => void) => {
  const table = [...files.nameTable]
  const { nextInode } = files
  const streams = files.streams.map((stream) => stream && { stream, fd: stream.fd, shared: { ...stream.shared } })
  const nodes: FileNode[] = []
  for (const first of table) for (let node = first; node; node = node.name_next) nodes.push(node)
  const saved = nodes.map((node) => {
    const bytes = readBytes(node)
    const folder = bytes ? undefined : node.contents && { ...(node.contents as Folder) }
    return { node, fields: { ...node }, bytes: bytes && Buffer.from(bytes), folder }
  })
  const restoreNode = ({ node, fields, bytes, folder }: (typeof saved)[number]) => {
    const { contents } = node
    const isSame = bytes && readBytes(node)?.equals(bytes)
    Object.assign(node, fields)
    if (bytes) node.contents = isSame && contents ? contents : new Uint8Array(bytes)
    if (folder) node.contents = { ...folder }
  }
  return () => {
    files.nameTable.splice(0, files.nameTable.length, ...table)
    files.nextInode = nextInode
    saved.forEach(restoreNode)
    files.streams.length = 0
    for (const kept of streams) {
      if (kept) {
        kept.stream.fd = kept.fd
        Object.assign(kept.stream.shared, kept.shared)
      }
      files.streams.push(kept ? kept.stream : null)
    }
  }
}
