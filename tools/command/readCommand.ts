import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Command, type CommandOptions, renderHelp, toPrefix } from './renderHelp.ts'

type Parsed<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true; strict: true }>
>

/**
 * Options and positional arguments of a command line. `--help` and `-h` print the description of the command and end
 * the process.
 *
 * @throws an unknown option, a value that is missing, or a positional argument that the command does not take
 */
export const readCommand = <const Options extends CommandOptions>(
  command: Command & { options: Options },
  args: string[] = process.argv.slice(2),
): Parsed<Options> => {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    console.log(renderHelp(command))
    process.exit(0)
  }
  const config = { args, options: command.options, allowPositionals: true, strict: true } satisfies ParseArgsConfig
  const parsed = parseArgs(config) as unknown as Parsed<Options>
  const extra = parsed.positionals[0]
  if (extra !== undefined && !command.positionals)
    throw new Error(`unexpected argument ${extra}; ${toPrefix(command.run)} --help lists the options`)
  return parsed
}
