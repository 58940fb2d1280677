import { RESUMABLE_ABOVE } from '~/src/services/services'

const SIDES = [1600, 1280, 1024, 800]
const QUALITIES = [0.82, 0.7, 0.55]

/** The bytes of a base64 data link. */
export const dataUrlToBlob = (url: string): Blob => {
  const [head = '', body = ''] = url.split(',')
  const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0))
  return new Blob([bytes], { type: /data:([^;]+)/.exec(head)?.[1] ?? 'image/jpeg' })
}

const readAsDataUrl = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })

/** How large the bytes of a base64 data link are. */
const sizeOf = (url: string) => ((url.length - url.indexOf(',') - 1) * 3) / 4

const drawn = (picture: ImageBitmap, longest: number): HTMLCanvasElement => {
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return canvas
}

/**
 * A photo as a JPEG data link small enough to be sent in one request, and to be kept on the device meanwhile. It comes
 * back upright and without its place and device, which a camera writes into every file.
 */
export const compressed = async (file: Blob): Promise<string> => {
  if (typeof createImageBitmap === 'undefined') return readAsDataUrl(file)
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  try {
    let smallest = ''
    for (const side of SIDES) {
      const canvas = drawn(picture, side)
      for (const quality of QUALITIES) {
        smallest = canvas.toDataURL('image/jpeg', quality)
        if (sizeOf(smallest) <= RESUMABLE_ABOVE) return smallest
      }
    }
    return smallest
  } finally {
    picture.close()
  }
}
