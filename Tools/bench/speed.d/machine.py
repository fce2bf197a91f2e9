"""What is measured with: programs of our own, the server, and the files it serves."""

import hashlib
import json
import os
import socket
import subprocess
import sys
import time

import terminal

HERE = os.path.dirname(os.path.abspath(__file__))
PACKAGES = {"curl": "curl", "aria2c": "aria2", "wget2": "wget2", "/usr/sbin/nginx": "nginx-light", "openssl": "openssl"}

CONFIGURATION = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
    access_log off; keepalive_requests 10000000; default_type application/octet-stream; sendfile on; tcp_nopush on;
    client_body_temp_path {folder}/scratch; proxy_temp_path {folder}/scratch;
    fastcgi_temp_path {folder}/scratch; uwsgi_temp_path {folder}/scratch; scgi_temp_path {folder}/scratch;
    server {{
        listen 127.0.0.1:{plain}; root {folder}/www;
        location /tiny/ {{ return 200 "a small file\\n"; }}
    }}
    server {{
        listen 127.0.0.1:{secure} ssl http2; root {folder}/www;
        ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;
    }}
}}
"""


def install():
    """Installs the peers that are missing."""
    missing = [package for program, package in PACKAGES.items() if not which(program)]
    if not missing:
        return
    print("speed: installing", *missing, file=sys.stderr)
    sudo = [] if os.geteuid() == 0 else ["sudo"]
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    words = ["apt-get", "install", "--yes", "--quiet=2", "--no-install-recommends", *missing]
    if subprocess.run([*sudo, *words], env=environment, stdout=subprocess.DEVNULL, check=False).returncode:
        subprocess.run([*sudo, "apt-get", "update", "--quiet=2"], check=True)
        subprocess.run([*sudo, *words], env=environment, stdout=subprocess.DEVNULL, check=True)


def which(program):
    return subprocess.run(["which", program], capture_output=True, check=False).returncode == 0


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Machine:
    """A folder in memory with the server and what it serves, and one on the disk."""

    def __init__(self, memory, disk, whirl):
        self.memory, self.disk, self.whirl = memory, disk, whirl
        os.chmod(memory, 0o755)  # for the server, which gives its rights up
        self.plain, self.secure = free_port(), free_port()
        self.digests = {}
        self.sizes = {}
        for name in ("www", "scratch"):
            os.mkdir(os.path.join(memory, name))
        self.spawner = self.compile("spawn")
        self.floor = self.compile("floor")
        self.bundle = self.certify()
        self.server = None

    def compile(self, name):
        path = os.path.join(self.memory, name)
        subprocess.run(["cc", "-O2", "-o", path, os.path.join(HERE, name + ".c")], check=True)
        return path

    def certify(self):
        """An authority and a server it vouches for; gives the bundle of the system's authorities and ours."""
        def run(*words):
            subprocess.run(["openssl", *words], cwd=self.memory, check=True, capture_output=True)

        key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
        run("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=whirl speed")
        run("req", "-x509", *key, "-CA", "ca.pem", "-CAkey", "ca.key", "-keyout", "server.key", "-out", "server.pem",
            "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
        bundle = os.path.join(self.memory, "bundle.pem")
        with open(bundle, "wb") as file:
            for path in ("/etc/ssl/certs/ca-certificates.crt", os.path.join(self.memory, "ca.pem")):
                with open(path, "rb") as part:
                    file.write(part.read())
        return bundle

    def serve(self, folder, names, size):
        """Makes files of random bytes, and remembers what they are."""
        path = os.path.join(self.memory, "www", folder)
        os.mkdir(path)
        seed = os.urandom(1 << 20)
        for name in names:
            digest = hashlib.sha256()
            with open(os.path.join(path, name), "wb") as file:
                left = size
                while left > 0:
                    head = os.urandom(min(16, left))
                    piece = (head + seed)[: min(left, len(seed))]
                    file.write(piece)
                    digest.update(piece)
                    left -= len(piece)
            self.digests[(folder, name)] = digest.hexdigest()
            self.sizes[(folder, name)] = size

    def start(self):
        path = os.path.join(self.memory, "nginx.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(folder=self.memory, plain=self.plain, secure=self.secure))
        self.server = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", self.memory, "-c", path, "-e", f"{self.memory}/error.log"])
        for _ in range(1000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.secure)) == 0:
                    return
            time.sleep(0.01)
        sys.exit("speed: nginx does not answer")

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()

    def run(self, words, directory, output=None, on_terminal=False):
        """Runs a command and says what it took."""
        reader, writer = os.pipe()
        words = ["bash", "-c", f'exec 3>&{writer} {writer}>&-; exec "$@"', "bash", self.spawner, *words]
        try:
            if on_terminal:
                screen = terminal.Terminal(words, directory, keep=[writer])
                os.close(writer)
                screen.end()
            else:
                with open(output or os.devnull, "wb") as out:
                    process = subprocess.Popen(
                        words, cwd=directory, stdin=subprocess.DEVNULL, stdout=out, stderr=out, pass_fds=[writer])
                os.close(writer)
                process.wait()
        finally:
            with os.fdopen(reader) as told:
                text = told.read()
        return json.loads(text)

    def check(self, folder, directory, names):
        """What is wrong with the files of a run; nothing: None."""
        for name in names:
            path = os.path.join(directory, name)
            if not os.path.isfile(path):
                return f"{name} is missing"
            digest = hashlib.sha256()
            with open(path, "rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
            if digest.hexdigest() != self.digests[(folder, name)]:
                return f"{name} has other bytes"
        extra = set(os.listdir(directory)) - set(names)
        return f"{sorted(extra)[0]} is left behind" if extra else None
