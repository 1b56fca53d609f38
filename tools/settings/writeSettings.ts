import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommand } from '../command/readCommand.ts'
import { renderSettings } from './renderSettings.ts'

readCommand({ run: 'npm run settings', about: 'Writes docs/settings.md from the declared settings.', options: {} })
await writeFile(join(import.meta.dirname, '../../docs/settings.md'), renderSettings())
