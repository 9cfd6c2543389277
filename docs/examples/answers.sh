# Functions for the commands of docs/sandbox.md, for a POSIX shell in the directory of the project:
#   . docs/examples/answers.sh
# `data` is the data directory of the `npm start` that runs.

data=${data-.countinghouse}
ops() { npm run --silent ops -- "$@"; }
demo() { node -p "require(require('path').resolve('$data/demo.json')).$1"; }
fault() { ops demo fault "$@" --data "$data"; }
get() { to=$1; shift; curl -sSi "$@" "$(demo baseUrl)$to"; }
bearer() { get "$1" -H "Authorization: Bearer ${token-$(demo business.token)}"; }
transaction() { bearer "/transaction/${1-$(demo business.transactionId)}"; }
transactions() { bearer "/transactions?${1-count=2}"; }
order() { get "/sell-orders/${1-$(demo ramp.orderId)}" -H "X-API-KEY: ${key-$(demo ramp.apiKey)}" --max-time "${wait-60}"; }
order_with() { fault get-sell-order "$@" --times 1; order; }
pass() {
  get "/passes/${1-$(demo passes.partnerReference)}" -H "Authorization: Bearer ${token-$(demo passes.token)}" \
    -H "$(demo passes.versionHeader): ${version-$(demo passes.version)}" -H "If-None-Match: ${tag-}"
}
tag_of() { pass | sed -n 's/^etag: \(.*\).$/\1/p'; }
trades() {
  url="$(demo baseUrl)/1.0/trades/all/${symbol-BTC-USD}?${1-limit=2}"
  curl -sSi "$url" $(ops sign GET "$url" --data "$data" --api-key "${key-$(demo exchange.apiKey)}" \
    --private-key "$(demo exchange.privateKeyFile)" --curl-options --signed-at "${at-$(now)}")
}
now() { node -p "Date.now() + 1000 * ${1-0}"; }
while_off() {
  ops switch "$1" off --reason "a trial" --data "$data"
  until seen=$("$2"); case $seen in *service_disabled*) true ;; *) false ;; esac; do sleep 1; done
  ops switch "$1" on --data "$data"
  echo "$seen"
}
