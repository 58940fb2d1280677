/** Downloads the content as a file. */
export const downloadFile = (name: string, type: string, content: string | Blob) => {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
