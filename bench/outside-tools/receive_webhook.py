import http.server
import json
import threading

from standardwebhooks import Webhook, WebhookVerificationError

from kcs import API, call

received = []


class Receiver(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        received.append((dict(self.headers.items()), body))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
webhook = json.loads(call(API + "/webhooks", {"url": f"http://127.0.0.1:{server.server_port}/"}))
delivery = json.loads(call(f"{API}/webhooks/{webhook['webhook_id']}/test", method="POST"))
assert delivery["status"] == "delivered", delivery
headers, body = received[0]
message = Webhook(webhook["secret"]).verify(body, headers)
assert message["type"] == "webhook.test" and headers["webhook-id"] == delivery["delivery_id"]
try:
    Webhook(webhook["secret"]).verify(body + b" ", headers)
    raise AssertionError("a changed body was accepted")
except WebhookVerificationError:
    pass
call(f"{API}/webhooks/{webhook['webhook_id']}", method="DELETE")
print("the message is verified; with a changed body it is refused")
