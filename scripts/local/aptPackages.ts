import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Returns true where this process may install Debian's packages. */
export const mayInstallPackages = (): boolean =>
  process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

const apt = (...args: string[]) =>
  execFileSync('apt-get', ['-qq', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })

/** Installs Debian's packages. Throws the output of apt-get when one of them does not exist. */
export const installPackages = (...names: string[]): void => {
  console.log(`Installing ${names.join(', ')} …`)
  apt('update')
  apt('install', '--no-install-recommends', ...names)
}
