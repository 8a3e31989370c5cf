// Search in pages that are opened from the disk.
//
// The theme searches in a Worker, and browsers make none for a page of a `file:` address. There, this class takes
// its place: it runs the script in a hidden iframe. What the page sees is the interface of Worker, without options;
// what the script sees is the iframe's window, whose `postMessage` leads to the page. There is no `importScripts`:
// the theme only calls it to search in languages other than English.
//
// https://developer.mozilla.org/docs/Web/API/Worker
// https://developer.mozilla.org/docs/Web/API/MessageChannel

if (location.protocol === "file:") window.Worker = class FrameWorker extends EventTarget {
  onmessage = null
  onerror = null
  #frame = document.createElement("iframe")
  #port

  constructor(url) {
    super()
    this.addEventListener("message", event => this.onmessage?.(event))
    this.addEventListener("error", event => this.onerror?.(event))

    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    FrameWorker.#relay(port1, this)

    const script = new URL(url, document.baseURI).href
    this.#frame.hidden = true
    this.#frame.srcdoc = "<!doctype html>" // of the page's own origin, so that the page may reach into it
    this.#frame.addEventListener("load", () => this.#run(script, port2), { once: true })
    document.documentElement.append(this.#frame)
  }

  postMessage(...message) {
    this.#port.postMessage(...message)
  }

  terminate() {
    this.#port.close()
    this.#frame.remove()
  }

  // Messages wait in the channel until the script has run and so listens.
  #run(url, port) {
    const scope = this.#frame.contentWindow
    scope.postMessage = (...message) => port.postMessage(...message)
    const script = scope.document.createElement("script")
    script.addEventListener("load", () => FrameWorker.#relay(port, scope))
    script.addEventListener("error", () => this.dispatchEvent(new Event("error")))
    script.src = url
    scope.document.head.append(script)
  }

  // What arrives at the port becomes a message event of the target.
  static #relay(port, target) {
    port.onmessage = ({ data, ports }) => target.dispatchEvent(new MessageEvent("message", { data, ports }))
  }
}
